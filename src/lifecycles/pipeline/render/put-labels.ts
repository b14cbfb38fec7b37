/** Adds the labels of a run to all rendered objects. Pure. */
import { fieldsAt, isObject } from '../../../kube/fields.ts';
import type { Json, JsonObject, KubeObject } from '../../../kube/object.ts';

/** The label of the run on rendered and deployed objects. The contract has its value as SKAFFOLD_RUN_ID. */
export const RUN_ID_LABEL = 'skaffold.dev/run-id';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGER = 'lifehook';

type Labels = Readonly<Record<string, string>>;

/**
 * Adds labels to the objects. The run label is set on the objects only, not on templates in them: a new run with the
 * same manifests restarts no pod, and a Job stays the same Job. Labels of `--label` are also set on pod templates, as
 * in skaffold. Existing labels of an object are kept, except for the run label.
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

/** Maximum depth of nested values: deeper parts of manifests are left unchanged. */
const MAX_DEPTH = 20;

/**
 * Sets the labels of pod templates in objects of any kind. A map named `template` whose spec has containers is a pod
 * template.
 */
function inTemplates(value: Json, own: Labels, depth: number): Json {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((part) => inTemplates(part, own, depth + 1));
  if (!isObject(value)) return value;
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
