/** What the server decides about custom resources: their status, their generation, and what is wrong with them. */
import type { Json, JsonObject } from '../../../kube/object.ts';
import type { FieldError } from '../../objects/field-error.ts';
import { invalid } from '../../objects/field-errors.ts';
import { keepField } from '../../objects/kinds/define-kind.ts';
import { at, fieldsAt, numberAt } from '../../objects/kinds/fields.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { CompiledSchema } from '../../objects/structural/compile.ts';
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

/** What raises the generation: everything but the metadata, and the status where it is written apart. */
function contentOf(object: JsonObject, apartStatus: boolean): JsonObject {
  const { metadata: _metadata, status, ...content } = object;
  return apartStatus || status === undefined ? content : { ...content, status };
}

const MAX_REPLICAS = 2_147_483_647;

function replicaFaults(object: JsonObject, path: string): readonly FieldError[] {
  const value: Json | undefined = at(object, ...path.split('.').slice(1));
  if (typeof value !== 'number') return [];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  if (value <= MAX_REPLICAS) return [];
  return [invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`)];
}
