/** Reads and rewrites located trees: nothing is changed in place, and every part keeps its position. */
import type {
  Located,
  LocatedField,
  LocatedList,
  LocatedMap,
  LocatedScalar,
} from '../../../model/located-tree.ts';
import type { Position } from '../../../model/problem.ts';

export type Step = string | number;

export function mapAt(tree: Located | undefined, ...path: readonly Step[]): LocatedMap | undefined {
  const found = partAt(tree, ...path);
  return found?.kind === 'map' ? found : undefined;
}

export function listAt(tree: Located | undefined, ...path: readonly Step[]): readonly Located[] {
  const found = partAt(tree, ...path);
  return found?.kind === 'list' ? found.items : [];
}

/** The text of a scalar; undefined if the part is absent, is null, or is not a scalar. */
export function textAt(tree: Located | undefined, ...path: readonly Step[]): string | undefined {
  const found = partAt(tree, ...path);
  return found?.kind === 'scalar' && found.value !== null ? found.text : undefined;
}

export function partAt(tree: Located | undefined, ...path: readonly Step[]): Located | undefined {
  return path.reduce<Located | undefined>((part, step) => {
    if (part?.kind === 'map') return part.fields.get(String(step))?.value;
    return part?.kind === 'list' && typeof step === 'number' ? part.items[step] : undefined;
  }, tree);
}

/** Sets this field; an existing one keeps its order and the position of its key. */
export function withField(map: LocatedMap, name: string, field: LocatedField): LocatedMap {
  const fields = new Map(map.fields);
  fields.set(name, field);
  return { ...map, fields };
}

export function withoutField(map: LocatedMap, name: string): LocatedMap {
  return { ...map, fields: new Map([...map.fields].filter(([one]) => one !== name)) };
}

/** Renames a field. If there is a field with the new name already, the map stays as it is. */
export function renamed(map: LocatedMap, from: string, to: string): LocatedMap {
  if (!map.fields.has(from) || map.fields.has(to)) return map;
  const fields = [...map.fields].map(
    ([name, field]) => [name === from ? to : name, field] as const,
  );
  return { ...map, fields: new Map(fields) };
}

/** Replaces the part at this path by the result of `change`; without such a part, returns the same tree. */
export function changed<T extends Located>(
  tree: T,
  path: readonly string[],
  change: (part: Located) => Located,
): T {
  const [first, ...rest] = path;
  if (first === undefined) return change(tree) as T;
  if (tree.kind === 'list' && first === '*') {
    return { ...tree, items: tree.items.map((item) => changed(item, rest, change)) };
  }
  if (tree.kind !== 'map') return tree;
  const field = tree.fields.get(first);
  if (field === undefined) return tree;
  return withField(tree, first, { ...field, value: changed(field.value, rest, change) }) as T;
}

/** Like `changed`, but replaces only parts that are maps. */
export function changedMaps<T extends Located>(
  tree: T,
  path: readonly string[],
  change: (map: LocatedMap) => LocatedMap,
): T {
  return changed(tree, path, (part) => (part.kind === 'map' ? change(part) : part));
}

export function newMap(at: Position): LocatedMap {
  return { kind: 'map', at, fields: new Map() };
}

export function newList(at: Position, items: readonly Located[]): LocatedList {
  return { kind: 'list', at, items };
}

export function newText(at: Position, text: string): LocatedScalar {
  return { kind: 'scalar', at, value: text, text, plain: false };
}

/** The value of the tree as in JSON, without positions. */
export function plainValue(tree: Located): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map((item) => plainValue(item));
  const entries = [...tree.fields].map(([name, { value }]) => [name, plainValue(value)] as const);
  return Object.fromEntries(entries);
}
