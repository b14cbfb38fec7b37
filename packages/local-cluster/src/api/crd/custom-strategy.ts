/** The server's rules for custom resources: their status, their generation, and their validation. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { type FieldError, invalid } from '../../objects/field-error.ts';
import { keepField } from '../../objects/kinds/define-kind.ts';
import { fieldsAt, numberAt, textsAt } from '../../../../../src/kube/fields.ts';
import { validateFinalizerDomain } from '../../objects/metadata.ts';
import { goText, goType } from '../../objects/patch/patch-result.ts';
import { isJsonObject, jsonEqual, ownField } from '../../objects/patch/json-value.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { CompiledSchema } from '../../objects/structural/compile.ts';
import { isInteger64 } from '../../objects/decode-scalar.ts';
import { withMeta } from '../object-meta.ts';

type Strategy = Pick<
  ResourceDefinition,
  'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate' | 'validate' | 'validateStatus'
>;

export function customStrategy(
  schema: CompiledSchema,
  { status, scale }: ResourceDefinition['subresources'],
): Strategy {
  const checkScale = (object: JsonObject): readonly FieldError[] =>
    scale === null
      ? []
      : [scale.specReplicas, scale.statusReplicas].flatMap((path) => replicaFaults(object, path));
  return {
    prepareForCreate(object) {
      const { status: given, ...others } = object;
      const kept = status || given === undefined ? others : object;
      return withMeta(kept, { generation: 1 });
    },
    prepareForUpdate(object, old) {
      const draft = { ...object };
      if (status) keepField(draft, old, 'status');
      const before = numberAt(old, 'metadata', 'generation') ?? 0;
      const same = jsonEqual(contentOf(draft, status), contentOf(old, status));
      return withMeta(draft, { generation: same ? before : before + 1 });
    },
    prepareForStatusUpdate(object, old) {
      const draft = { ...old };
      keepField(draft, object, 'status');
      const { managedFields, resourceVersion } = fieldsAt(object, 'metadata');
      return withMeta(draft, { managedFields, resourceVersion });
    },
    validate: (object, old) => [...schema.validate(object, old), ...checkScale(object)],
    validateStatus: (object, old) => [...schema.validateStatus(object, old), ...checkScale(object)],
  };
}

const ADVICE =
  'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';

/** Warns of new finalizers without a domain. */
export function finalizerWarnings(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly string[] {
  const field = 'metadata.finalizers';
  const before = textsAt(old, 'metadata', 'finalizers');
  return textsAt(object, 'metadata', 'finalizers')
    .filter((name) => !before.includes(name) && validateFinalizerDomain(name, field).length > 0)
    .toSorted()
    .map((name) => `${field}: ${JSON.stringify(name)}: ${ADVICE}`);
}

/**
 * The fields whose change raises the generation: all except the metadata and, with `apartStatus`, the status.
 * `apartStatus`: true if the kind has a status subresource.
 */
function contentOf(object: JsonObject, apartStatus: boolean): JsonObject {
  const { metadata: _metadata, status, ...content } = object;
  return apartStatus || status === undefined ? content : { ...content, status };
}

const MAX_REPLICAS = 2_147_483_647;

function replicaFaults(object: JsonObject, path: string): readonly FieldError[] {
  const { value, fault } = numberIn(object, path);
  if (fault !== undefined) return [invalid(path, 0, fault)];
  if (value === undefined) return [];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  if (value <= MAX_REPLICAS) return [];
  return [invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`)];
}

/** Reads an integer at a path; no `value` if it is missing. The texts of `fault` are those of a real server. */
function numberIn(
  object: JsonObject,
  path: string,
): { readonly value?: number; readonly fault?: string } {
  const steps = path.split('.').slice(1);
  let found: Json = object;
  for (const [index, step] of steps.entries()) {
    if (found === null) return {};
    if (!isJsonObject(found)) {
      return { fault: accessFault(steps.slice(0, index), found, 'map[string]interface {}') };
    }
    const next: Json | undefined = ownField(found, step);
    if (next === undefined) return {};
    found = next;
  }
  if (typeof found === 'number' && isInteger64(found)) return { value: found };
  return { fault: accessFault(steps, found, 'int64') };
}

function accessFault(steps: readonly string[], value: Json, wanted: string): string {
  const is = `${goText(value)} is of the type ${goType(value)}`;
  return `.${steps.join('.')} accessor error: ${is}, expected ${wanted}`;
}
