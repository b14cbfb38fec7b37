/**
 * The type of a value, for patches, field ownership, decoding and pruning.
 *
 * Types of built-in kinds are from the generated table, and those of custom kinds from their structural schema. A type
 * may be recursive (JSONSchemaProps is), so fields and items are looked up when needed. All recursion is
 * limited by the depth of an object, not by that of its type.
 */
export type TypeNode = ScalarNode | StructNode | MapNode | ListNode | AnyNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** JSON type of the scalar. `quantity`, `time` and the like are strings with a syntax of their own. */
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
  /** Name of the Go type without package, such as "PodSpec", for messages; '' for parts of a custom resource. */
  readonly typeName: string;
  /** Returns undefined if the struct does not have the field. */
  field(name: string): TypeNode | undefined;
  readonly fieldNames: readonly string[];
  /** Fields that are kept even when empty, and that an OpenAPI document lists as required. */
  readonly required?: readonly string[];
  /** True if unknown fields are kept (x-kubernetes-preserve-unknown-fields). */
  readonly preserveUnknown: boolean;
  /** True if the struct has one owner as a whole (x-kubernetes-map-type: atomic), such as a label selector. */
  readonly atomic: boolean;
  /** True if a strategic merge drops the fields that the patch does not name (retainKeys). */
  readonly retainKeys: boolean;
}

/** An object with any keys, whose values all have one type. */
export interface MapNode {
  readonly kind: 'map';
  readonly values: TypeNode;
  readonly atomic: boolean;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: TypeNode;
  /** List type (x-kubernetes-list-type), for field ownership and apply. */
  readonly listType: 'atomic' | 'set' | 'map';
  /** For the list type `map`: names of the fields that identify an item. */
  readonly mapKeys: readonly string[];
  /** Defaults of map keys. They identify an item that omits the key, such as "TCP" for the `protocol` of a port. */
  readonly keyDefaults?: Readonly<Record<string, string | number | boolean>>;
  /** How a strategic merge treats the list. `merge` uses `mergeKey`; a list of scalars merges as a set. */
  readonly patchStrategy: 'replace' | 'merge';
  readonly mergeKey: string | null;
}

/** A value that may be any JSON (RawExtension, JSON, or a custom resource without a schema). */
export interface AnyNode {
  readonly kind: 'any';
}
