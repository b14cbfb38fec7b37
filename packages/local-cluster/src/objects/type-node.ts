/**
 * The shape of a field, as patches, field ownership, decoding and pruning walk it. Built-in kinds take
 * theirs from the generated table, custom ones from their structural schema; both give the same nodes.
 * Nodes may refer to each other in circles (JSONSchemaProps does), so `fields` and `items` are looked up
 * as they are needed, and a walk is bounded by the depth of the object, never by that of the type.
 */
export type TypeNode = ScalarNode | StructNode | MapNode | ListNode | AnyNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** What JSON it may be. `quantity`, `time` and the like are strings with a form of their own. */
  readonly scalar:
    | 'string'
    | 'boolean'
    | 'int32'
    | 'int64'
    | 'number'
    | 'intOrString'
    | 'quantity'
    | 'time'
    | 'microTime'
    | 'bytes';
}

export interface StructNode {
  readonly kind: 'struct';
  /** The Go type's bare name ("PodSpec"), for messages; '' for parts of a custom resource. */
  readonly typeName: string;
  /** Undefined: no such field. */
  field(name: string): TypeNode | undefined;
  readonly fieldNames: readonly string[];
  /** Fields that are kept even when empty, and that an OpenAPI document lists as required. */
  readonly required?: readonly string[];
  /** Fields that are not known are kept (x-kubernetes-preserve-unknown-fields). */
  readonly preserveUnknown: boolean;
  /** One owner for the whole (x-kubernetes-map-type: atomic), as of a label selector. */
  readonly atomic: boolean;
  /** Strategic merge: what stands in the object beside the merged fields is dropped (retainKeys). */
  readonly retainKeys: boolean;
}

/** Free keys, one type of value. */
export interface MapNode {
  readonly kind: 'map';
  readonly values: TypeNode;
  readonly atomic: boolean;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: TypeNode;
  /** How field ownership and apply see it. */
  readonly listType: 'atomic' | 'set' | 'map';
  /** For `map`: what identifies an item. */
  readonly mapKeys: readonly string[];
  /** Map keys with a default identify an item that leaves them out too (`protocol` of a port: "TCP"). */
  readonly keyDefaults?: Readonly<Record<string, string | number | boolean>>;
  /** How a strategic merge patch sees it: `merge` by `mergeKey` (of a list of scalars: as a set). */
  readonly patchStrategy: 'replace' | 'merge';
  readonly mergeKey: string | null;
}

/** Whatever JSON (RawExtension, JSON, an untyped custom resource). */
export interface AnyNode {
  readonly kind: 'any';
}
