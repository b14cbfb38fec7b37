/**
 * Objects as the meta.k8s.io/v1 Table that `kubectl get` asks for: the kind's columns, one row an
 * object, and as much of each object in its row as the caller wants.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { fieldsAt } from '../../../../src/kube/fields.ts';
import type { PrinterColumn, ResourceDefinition } from './resource-definition.ts';

export interface TableOptions {
  readonly definition: Pick<ResourceDefinition, 'columns'>;
  readonly objects: readonly JsonObject[];
  /** resourceVersion, continue and remainingItemCount of the list; of one object its resourceVersion. */
  readonly listMeta: JsonObject;
  /** The query's `includeObject`; Metadata where it names none. */
  readonly includeObject: IncludeObject;
  /** RFC 3339; ages are counted to here. */
  readonly now: string;
}

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function toTable(options: TableOptions): JsonObject {
  const { definition, objects, listMeta, includeObject, now } = options;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: listMeta,
    columnDefinitions: definition.columns.map(columnDefinition),
    rows: objects.map((object) => ({
      cells: definition.columns.map((column) => column.value(object, now)),
      ...rowObject(object, includeObject),
    })),
  };
}

function columnDefinition({
  name,
  type,
  format,
  description,
  priority,
}: PrinterColumn): JsonObject {
  return { name, type, format, description, priority };
}

function rowObject(object: JsonObject, include: IncludeObject): { object: JsonObject | null } {
  if (include === 'None') return { object: null };
  if (include === 'Object') return { object };
  return {
    object: {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: fieldsAt(object, 'metadata'),
    },
  };
}
