/** The labels of a run on everything that it renders. Pure. */
import { fieldsAt, isObject } from '../../../kube/fields.ts';
import type { Json, JsonObject, KubeObject } from '../../../kube/object.ts';

/** Also of what is deployed: the contract's SKAFFOLD_RUN_ID is its value. */
export const RUN_ID_LABEL = 'skaffold.dev/run-id';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGER = 'lifehook';

type Labels = Readonly<Record<string, string>>;

/**
 * The run's own on the objects themselves, not on templates in them: a new run whose manifests are the same starts no
 * pod anew, and a Job stays the same Job. Those of `--label` on templates of pods too, as shipped. A label that an
 * object has already stays, but for the run's.
 */
export function putLabels(object: KubeObject, runId: string, own: Labels = {}): KubeObject {
  const { metadata = {}, ...rest } = object;
  const labels = {
    [MANAGED_BY_LABEL]: MANAGER,
    ...own,
    ...metadata.labels,
    [RUN_ID_LABEL]: own[RUN_ID_LABEL] ?? runId,
  };
  const body = Object.keys(own).length === 0 ? rest : (inTemplates(rest, own, 0) as object);
  return { ...object, ...body, metadata: { ...metadata, labels } };
}

/** Manifests that are deeper are left as they are below it. */
const MAX_DEPTH = 20;

/** A map named `template` with a spec that has containers is one of pods, in whichever kind. */
function inTemplates(value: Json, own: Labels, depth: number): Json {
  if (!isObject(value) || depth > MAX_DEPTH) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const below = inTemplates(part, own, depth + 1);
      return [name, name === 'template' && isPodTemplate(below) ? labelled(below, own) : below];
    }),
  );
}

function labelled(template: JsonObject, own: Labels): Json {
  const metadata = fieldsAt(template, 'metadata');
  return {
    ...template,
    metadata: { ...metadata, labels: { ...own, ...fieldsAt(metadata, 'labels') } },
  };
}

function isPodTemplate(value: Json): value is JsonObject {
  return isObject(value) && isObject(value['spec']) && Array.isArray(value['spec']['containers']);
}
