/**
 * Applies the JSON patches of profiles to located trees: add, remove, replace, copy, move, test (RFC 6902), and the
 * path segment `key=value` for a list item. An operation is applied completely or not at all. Every value keeps the
 * position at which it was written, in the patch or in the configuration. Pure.
 */
import { sameJson } from '../../../controller/same-json.ts';
import type { Located, LocatedList, LocatedMap } from '../../../model/located-tree.ts';
import { partAt, plainValue, textAt, withField, withoutField } from './tree-edit.ts';

export type Patched =
  | { readonly kind: 'patched'; readonly tree: LocatedMap }
  | { readonly kind: 'failed'; readonly reason: string };

/** Applies a JSON patch. One without an `op` is a replacement, as in skaffold. */
export function applyPatch(tree: LocatedMap, patch: Located): Patched {
  try {
    // A path has at least one segment, so the root stays a map.
    return { kind: 'patched', tree: operate(tree, patch) as LocatedMap };
  } catch (cause) {
    if (!(cause instanceof Inapplicable)) throw cause;
    return { kind: 'failed', reason: cause.message };
  }
}

class Inapplicable extends Error {}

function operate(tree: Located, patch: Located): Located {
  const op = textAt(patch, 'op') ?? 'replace';
  const path = pointer(textAt(patch, 'path') ?? '');
  const from = (): readonly string[] => {
    const text = textAt(patch, 'from');
    if (text === undefined) throw new Inapplicable(`"${op}" needs "from"`);
    return pointer(text);
  };
  switch (op) {
    case 'add':
    case 'replace':
      return put(tree, path, { op, value: valueOf(patch, op) });
    case 'remove':
      return removed(tree, path);
    case 'copy':
      return put(tree, path, { op: 'add', value: find(tree, from()) });
    case 'move':
      return put(removed(tree, from()), path, { op: 'add', value: find(tree, from()) });
    case 'test':
      if (sameJson(plainValue(find(tree, path)), plainValue(valueOf(patch, op)))) return tree;
      throw new Inapplicable('the value differs from the value of the test operation');
    default:
      throw new Inapplicable(`there is no operation "${op}"`);
  }
}

function valueOf(patch: Located, op: string): Located {
  const value = partAt(patch, 'value');
  if (value === undefined) throw new Inapplicable(`"${op}" needs a value`);
  return value;
}

function pointer(path: string): readonly string[] {
  if (!path.startsWith('/')) throw new Inapplicable('a path begins with "/"');
  const segments = path.slice(1).split('/');
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function find(tree: Located, path: readonly string[]): Located {
  return path.reduce((part, segment) => child(part, segment), tree);
}

function child(part: Located, segment: string): Located {
  const found =
    part.kind === 'map'
      ? part.fields.get(segment)?.value
      : part.kind === 'list'
        ? part.items[indexOf(part.items, segment)]
        : undefined;
  if (found === undefined) throw new Inapplicable(`there is no "${segment}" on the path`);
  return found;
}

function indexOf(items: readonly Located[], segment: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(segment)) return Number(segment);
  const [key, ...rest] = segment.split('=');
  if (rest.length === 0) throw new Inapplicable(`"${segment}" is not the index of an item`);
  return items.findIndex((item) => textAt(item, key ?? '') === rest.join('='));
}

interface Putting {
  readonly op: 'add' | 'replace';
  readonly value: Located;
}

function put(tree: Located, path: readonly string[], putting: Putting): Located {
  return atParent(tree, path, (parent, last) =>
    parent.kind === 'map' ? putField(parent, last, putting) : putItem(parent, last, putting),
  );
}

function putField(parent: LocatedMap, name: string, { op, value }: Putting): LocatedMap {
  const before = parent.fields.get(name);
  if (before === undefined && op === 'replace') {
    throw new Inapplicable(`there is no "${name}" to replace; "op: add" would add it`);
  }
  return withField(parent, name, { keyAt: before?.keyAt ?? value.at, value });
}

function putItem(parent: LocatedList, last: string, { op, value }: Putting): LocatedList {
  const items = [...parent.items];
  const isAdded = op === 'add';
  const index = last === '-' && isAdded ? items.length : indexOf(items, last);
  const end = isAdded ? items.length : items.length - 1;
  if (index < 0 || index > end) throw new Inapplicable(`the list has no item "${last}"`);
  items.splice(index, isAdded ? 0 : 1, value);
  return { ...parent, items };
}

function removed(tree: Located, path: readonly string[]): Located {
  return atParent(tree, path, (parent, last) => {
    child(parent, last);
    if (parent.kind === 'map') return withoutField(parent, last);
    const index = indexOf(parent.items, last);
    return { ...parent, items: parent.items.filter((_, at) => at !== index) };
  });
}

type Parent = Exclude<Located, { kind: 'scalar' }>;

function atParent(
  part: Located,
  [first = '', ...rest]: readonly string[],
  change: (parent: Parent, last: string) => Located,
): Located {
  if (part.kind === 'scalar') throw new Inapplicable(`a plain value has no field "${first}"`);
  if (rest.length === 0) return change(part, first);
  const value = atParent(child(part, first), rest, change);
  if (part.kind === 'list') {
    const index = indexOf(part.items, first);
    return { ...part, items: part.items.map((item, at) => (at === index ? value : item)) };
  }
  return withField(part, first, { keyAt: part.fields.get(first)?.keyAt ?? value.at, value });
}
