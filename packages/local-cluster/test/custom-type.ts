import type { ListNode, StructNode, TypeNode } from '../src/objects/type-node.ts';

/** The type of a custom resource, as its schema would give it. */
export function customType(fields: Readonly<Record<string, TypeNode>>): StructNode {
  return {
    kind: 'struct',
    typeName: '',
    field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined),
    fieldNames: Object.keys(fields),
    preserveUnknown: false,
    atomic: false,
    retainKeys: false,
  };
}

export const text: TypeNode = { kind: 'scalar', scalar: 'string' };
export const number: TypeNode = { kind: 'scalar', scalar: 'int32' };

export function listOf(
  items: TypeNode,
  listType: ListNode['listType'],
  mapKeys: readonly string[] = [],
): ListNode {
  return { kind: 'list', items, listType, mapKeys, patchStrategy: 'replace', mergeKey: null };
}
