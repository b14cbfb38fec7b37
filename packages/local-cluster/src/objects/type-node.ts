/**
 * The type of a field, as patches, field ownership, decoding and pruning walk it. Built-in kinds have their types from
 * the generated table, custom kinds from their structural schema; both give the same nodes. Types may be recursive
 * (JSONSchemaProps is), so `fields` and `items` are looked up on demand; a walk is bounded by the depth of the object,
 * never by that of the type.
 */
export type TypeNode = ScalarNode | StructNode | MapNode | ListNode | AnyNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** The JSON type. `quantity`, `time` and the like are strings with a syntax of their own. */
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
  /** The Go type's name without package ("PodSpec"), for messages; '' for parts of a custom resource. */
  readonly typeName: string;
  /** Undefined: no such field. */
  field(name: string): TypeNode | undefined;
  readonly fieldNames: readonly string[];
  /** Fields that are kept even when empty, and that an OpenAPI document lists as required. */
  readonly required?: readonly string[];
  /** Whether unknown fields are kept (x-kubernetes-preserve-unknown-fields). */
  readonly preserveUnknown: boolean;
  /** Whether it has one owner as a whole (x-kubernetes-map-type: atomic), as a label selector has. */
  readonly atomic: boolean;
  /** Whether a strategic merge drops the fields that the patch does not name (retainKeys). */
  readonly retainKeys: boolean;
}

/** Any keys, one type of value. */
export interface MapNode {
  readonly kind: 'map';
  readonly values: TypeNode;
  readonly atomic: boolean;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: TypeNode;
  /** The list type for field ownership and apply. */
  readonly listType: 'atomic' | 'set' | 'map';
  /** For `map`: the fields that identify an item. */
  readonly mapKeys: readonly string[];
  /** Defaults of map keys; an item that omits such a key is identified by them (`protocol` of a port: "TCP"). */
  readonly keyDefaults?: Readonly<Record<string, string | number | boolean>>;
  /** The strategic merge: `merge` by `mergeKey`; a list of scalars merges as a set. */
  readonly patchStrategy: 'replace' | 'merge';
  readonly mergeKey: string | null;
}

/** Any JSON (RawExtension, JSON, an untyped custom resource). */
export interface AnyNode {
  readonly kind: 'any';
}
