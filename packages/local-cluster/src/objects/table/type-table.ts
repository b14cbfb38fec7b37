/**
 * Turns rows of a table into types. Each is created when it is first used, so that they cost nothing at the start of
 * the program.
 *
 * Recursive types need no special case.
 */
import type { ListNode, StructNode, TypeNode } from '../type-node.ts';
import type { DefinitionRow } from './builtin-rows.ts';
import { type FieldWords, parseFieldWords, SCALARS } from './field-words.ts';

/** Finds a type by the full or short name of its definition; undefined if it is unknown. */
export type NamedType = (definitionName: string) => StructNode | undefined;

/** Creates a lookup of types by name. `rowOf` gets short names. */
export function typeTable(rowOf: (name: string) => DefinitionRow | undefined): NamedType {
  const structs = new Map<string, StructNode>();
  const named: NamedType = (definitionName) => {
    const name = shortName(definitionName);
    const known = structs.get(name);
    if (known !== undefined) return known;
    const row = rowOf(name);
    if (row === undefined) return undefined;
    const struct = structNode(name, row, named);
    structs.set(name, struct);
    return struct;
  };
  return named;
}

/** Short name of a definition, such as "core.v1.PodSpec" for "io.k8s.api.core.v1.PodSpec". */
export function shortName(definitionName: string): string {
  return definitionName.split('.').slice(-3).join('.');
}

function structNode(name: string, row: DefinitionRow, named: NamedType): StructNode {
  const fields = new Map<string, TypeNode>();
  return {
    kind: 'struct',
    typeName: name.slice(name.lastIndexOf('.') + 1),
    field(field) {
      if (!Object.hasOwn(row.fields, field)) return undefined;
      const known = fields.get(field) ?? fieldNode(row.fields[field] ?? '', named);
      fields.set(field, known);
      return known;
    },
    fieldNames: Object.keys(row.fields),
    ...(row.required === undefined ? {} : { required: row.required }),
    preserveUnknown: false,
    atomic: row.atomic === true,
    retainKeys: false,
  };
}

function fieldNode(text: string, named: NamedType): TypeNode {
  const words = parseFieldWords(text);
  const { type } = words;
  if (type.startsWith('[]')) return listNode(words, named);
  if (type.startsWith('{}')) {
    return { kind: 'map', values: fieldNode(type.slice(2), named), atomic: words.atomic };
  }
  return plainNode(words, named);
}

function listNode(words: FieldWords, named: NamedType): ListNode {
  const { listType, mapKeys, keyDefaults, mergeKey, retainKeys } = words;
  const items = words.type.slice(2);
  return {
    kind: 'list',
    items: fieldNode(retainKeys ? `${items} retainKeys` : items, named),
    listType,
    mapKeys,
    ...(Object.keys(keyDefaults).length === 0 ? {} : { keyDefaults }),
    patchStrategy: mergeKey === null ? 'replace' : 'merge',
    mergeKey: mergeKey === '' ? null : mergeKey,
  };
}

function plainNode({ type, retainKeys, atomic }: FieldWords, named: NamedType): TypeNode {
  if (Object.hasOwn(SCALARS, type)) return SCALARS[type as keyof typeof SCALARS];
  if (type === 'any') return { kind: 'any' };
  const struct = named(type);
  if (struct === undefined) throw new Error(`The table of types has no definition ${type}.`);
  return retainKeys || atomic ? { ...struct, retainKeys, atomic: struct.atomic || atomic } : struct;
}
