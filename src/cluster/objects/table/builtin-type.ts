/**
 * The types of the built-in kinds as nodes. They are made when first asked for and then kept, so that a
 * start pays for nothing, and types that contain themselves need no care.
 */
import type { ListNode, StructNode, TypeNode } from '../type-node.ts';
import { definitionNames, definitionRow, type DefinitionRow } from './definitions.ts';
import { parseFieldWords, SCALARS, type FieldWords } from './field-words.ts';

/** The type of a whole object; group '' is the core group. Undefined: no such kind in the table. */
export function builtinType(group: string, version: string, kind: string): StructNode | undefined {
  const name = builtinName(group, version, kind);
  return name === undefined ? undefined : namedType(name);
}

/** The short name of a kind's definition: "apps.v1.Deployment". */
export function builtinName(group: string, version: string, kind: string): string | undefined {
  return kindNames().get(group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`);
}

/** By the definition's name, in full ("io.k8s.api.core.v1.PodSpec") or short ("core.v1.PodSpec"). */
export function namedType(definitionName: string): StructNode | undefined {
  const name = shortName(definitionName);
  const known = structs.get(name);
  if (known !== undefined) return known;
  const row = definitionRow(name);
  if (row === undefined) return undefined;
  const struct = structNode(name, row);
  structs.set(name, struct);
  return struct;
}

/** "io.k8s.api.core.v1.PodSpec" -> "core.v1.PodSpec" */
export function shortName(definitionName: string): string {
  return definitionName.split('.').slice(-3).join('.');
}

const structs = new Map<string, StructNode>();

let kinds: ReadonlyMap<string, string> | undefined;

/** "apps/v1/Deployment" -> "apps.v1.Deployment" */
function kindNames(): ReadonlyMap<string, string> {
  kinds ??= new Map(
    definitionNames().flatMap((name) => {
      const kind = definitionRow(name)?.kind;
      return kind === undefined ? [] : [[kind, name]];
    }),
  );
  return kinds;
}

function structNode(name: string, row: DefinitionRow): StructNode {
  const fields = new Map<string, TypeNode>();
  return {
    kind: 'struct',
    typeName: name.slice(name.lastIndexOf('.') + 1),
    field(field) {
      if (!Object.hasOwn(row.fields, field)) return undefined;
      const known = fields.get(field) ?? fieldNode(row.fields[field] ?? '');
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

function fieldNode(text: string): TypeNode {
  const words = parseFieldWords(text);
  const { type } = words;
  if (type.startsWith('[]')) return listNode(words);
  if (type.startsWith('{}')) {
    return { kind: 'map', values: fieldNode(type.slice(2)), atomic: words.atomic };
  }
  return plainNode(type, words);
}

function listNode(words: FieldWords): ListNode {
  const { listType, mapKeys, keyDefaults, mergeKey, retainKeys } = words;
  const items = words.type.slice(2);
  return {
    kind: 'list',
    items: fieldNode(retainKeys ? `${items} retainKeys` : items),
    listType,
    mapKeys,
    ...(Object.keys(keyDefaults).length === 0 ? {} : { keyDefaults }),
    patchStrategy: mergeKey === null ? 'replace' : 'merge',
    mergeKey: mergeKey === '' ? null : mergeKey,
  };
}

function plainNode(type: string, { retainKeys, atomic }: FieldWords): TypeNode {
  if (Object.hasOwn(SCALARS, type)) return SCALARS[type as keyof typeof SCALARS];
  if (type === 'any') return { kind: 'any' };
  const struct = namedType(type);
  if (struct === undefined) throw new Error(`The table of types has no definition ${type}.`);
  return retainKeys || atomic ? { ...struct, retainKeys, atomic: struct.atomic || atomic } : struct;
}
