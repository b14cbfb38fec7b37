import { describe, expect, it } from 'vitest';

import { type Located, type LocatedMap, readTrees } from '../../../model/located-tree.ts';
import {
  changed,
  changedMaps,
  mapAt,
  newMap,
  newText,
  partAt,
  plainValue,
  renamed,
  textAt,
} from './tree-edit.ts';

function treeOf(value: object): LocatedMap {
  const [tree] = readTrees('skaffold.yaml', JSON.stringify(value)).trees;
  if (tree?.kind !== 'map') throw new Error('no map');
  return tree;
}

const TREE = treeOf({ list: [{ name: 'a' }, { name: 'b' }], text: 'x', none: null, '1': 'one' });

describe('a part of a tree', () => {
  it('is found by the names of fields and the numbers of items', () => {
    expect(textAt(TREE, 'list', 1, 'name')).toBe('b');
    expect(textAt(TREE, 1)).toBe('one');
  });

  it('is undefined where a field is searched in a list, or anything in a plain value', () => {
    expect(partAt(TREE, 'list', 'name')).toBeUndefined();
    expect(partAt(TREE, 'list', '1')).toBeUndefined();
    expect(partAt(TREE, 'list', 2)).toBeUndefined();
    expect(partAt(TREE, 'text', 0)).toBeUndefined();
    expect(partAt(TREE, 'text', 'length')).toBeUndefined();
    expect(partAt(undefined, 'text')).toBeUndefined();
  });

  it('is no map and no text if it is something else', () => {
    expect(mapAt(TREE, 'list', 0)?.kind).toBe('map');
    expect(mapAt(TREE, 'list')).toBeUndefined();
    expect(textAt(TREE, 'list')).toBeUndefined();
    expect(textAt(TREE, 'none')).toBeUndefined();
  });
});

describe('a field that is renamed', () => {
  it('keeps its order', () => {
    const names = [...renamed(TREE, 'text', 'word').fields.keys()];
    expect(names).toEqual([...TREE.fields.keys()].map((name) => (name === 'text' ? 'word' : name)));
  });

  it('is left as it is if the new name exists, or the old one does not', () => {
    expect(renamed(TREE, 'text', 'none')).toBe(TREE);
    expect(renamed(TREE, 'absent', 'word')).toBe(TREE);
  });
});

describe('a part that is changed', () => {
  const toX = ({ at }: Located): Located => newText(at, 'X');
  const after = (...path: string[]): unknown => plainValue(changed(TREE, path, toX));

  it('is the one at the path, where * is every item of a list', () => {
    expect(after('text')).toEqual({ ...(plainValue(TREE) as object), text: 'X' });
    expect(after('list', '*', 'name')).toMatchObject({ list: [{ name: 'X' }, { name: 'X' }] });
  });

  it('is none where the path leads nowhere', () => {
    const same = plainValue(TREE);
    expect(after('absent')).toEqual(same);
    expect(after('text', 'more')).toEqual(same);
    expect(after('list', 'name')).toEqual(same);
    expect(after('*', 'name')).toEqual(same);
    expect(after('text', '*')).toEqual(same);
  });

  it('is a map where only maps are changed', () => {
    const emptied = (...path: string[]): unknown =>
      plainValue(changedMaps(TREE, path, ({ at }) => newMap(at)));
    expect(emptied('list', '*')).toMatchObject({ list: [{}, {}] });
    expect(emptied('text')).toEqual(plainValue(TREE));
  });
});
