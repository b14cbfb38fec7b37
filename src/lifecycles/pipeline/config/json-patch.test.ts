import { describe, expect, test } from 'vitest';

import { type Located, type LocatedMap, readTrees } from '../../../model/located-tree.ts';
import { applyPatch } from './json-patch.ts';
import { partAt, plainValue } from './tree-edit.ts';

function treeOf(value: unknown, file: string = 'skaffold.yaml'): Located {
  const [tree] = readTrees(file, JSON.stringify(value)).trees;
  if (tree === undefined) throw new Error('no document');
  return tree;
}

const TREE = {
  build: { artifacts: [{ image: 'web', context: 'a' }, { image: 'api=1' }] },
  'a/b~c': 1,
};

/** The configuration after the patch, or the reason why the patch could not be applied. */
function patched(patch: object, tree: object = TREE): unknown {
  const before = treeOf(tree);
  const result = applyPatch(before as LocatedMap, treeOf(patch));
  expect(plainValue(before)).toEqual(tree);
  if (result.kind === 'patched') return plainValue(result.tree);
  expect(result.kind).toBe('failed');
  return result.reason;
}

const artifacts = (...all: object[]): object => ({ ...TREE, build: { artifacts: all } });
const [web, api] = TREE.build.artifacts as [object, object];

describe('a patch of a profile (RFC 6902)', () => {
  test.each([
    ['adds a field', { op: 'add', path: '/x', value: { y: 1 } }, { ...TREE, x: { y: 1 } }],
    ['adds over a field', { op: 'add', path: '/a~1b~0c', value: 2 }, { ...TREE, 'a/b~c': 2 }],
    ['replaces where no op is given', { path: '/a~1b~0c', value: 2 }, { ...TREE, 'a/b~c': 2 }],
    ['removes a field', { op: 'remove', path: '/a~1b~0c' }, { build: TREE.build }],
    [
      'inserts before an item',
      { op: 'add', path: '/build/artifacts/1', value: { image: 'x' } },
      artifacts(web, { image: 'x' }, api),
    ],
    [
      'appends an item',
      { op: 'add', path: '/build/artifacts/-', value: { image: 'x' } },
      artifacts(web, api, { image: 'x' }),
    ],
    [
      'appends an item at the length of the list',
      { op: 'add', path: '/build/artifacts/2', value: { image: 'x' } },
      artifacts(web, api, { image: 'x' }),
    ],
    [
      'replaces an item',
      { op: 'replace', path: '/build/artifacts/0', value: { image: 'x' } },
      artifacts({ image: 'x' }, api),
    ],
    ['removes an item', { op: 'remove', path: '/build/artifacts/0' }, artifacts(api)],
    [
      'finds an item by a field, which may hold "="',
      { op: 'replace', path: '/build/artifacts/image=api=1/image', value: 'x' },
      artifacts(web, { image: 'x' }),
    ],
    [
      'replaces an item that it finds by a field',
      { path: '/build/artifacts/image=web', value: { image: 'x' } },
      artifacts({ image: 'x' }, api),
    ],
    [
      'copies',
      { op: 'copy', from: '/build/artifacts/0', path: '/build/artifacts/-' },
      artifacts(web, api, web),
    ],
    [
      'moves within a list, counted after the removal',
      { op: 'move', from: '/build/artifacts/0', path: '/build/artifacts/1' },
      artifacts(api, web),
    ],
    [
      'passes a test, whatever the order of the fields',
      { op: 'test', path: '/build/artifacts/0', value: { context: 'a', image: 'web' } },
      TREE,
    ],
  ])('%s', (_, patch, expected) => {
    expect(patched(patch)).toEqual(expected);
  });

  const list = '/build/artifacts';
  const elsewhere = 'the value differs from the value of the test operation';
  test.each([
    [{ op: 'replace', path: '/x', value: 1 }, 'there is no "x" to replace; "op: add" would add it'],
    [{ op: 'replace', path: '/x/y', value: 1 }, 'there is no "x" on the path'],
    [{ op: 'remove', path: '/x' }, 'there is no "x" on the path'],
    [{ op: 'remove', path: `${list}/2` }, 'there is no "2" on the path'],
    [{ op: 'remove', path: `${list}/image=x` }, 'there is no "image=x" on the path'],
    [{ op: 'replace', path: `${list}/2`, value: 1 }, 'the list has no item "2"'],
    [{ op: 'add', path: `${list}/3`, value: 1 }, 'the list has no item "3"'],
    [{ op: 'add', path: `${list}/image=x`, value: 1 }, 'the list has no item "image=x"'],
    [{ op: 'replace', path: `${list}/-`, value: 1 }, '"-" is not the index of an item'],
    [{ op: 'add', path: `${list}/01`, value: 1 }, '"01" is not the index of an item'],
    [{ op: 'add', path: `${list}/1x`, value: 1 }, '"1x" is not the index of an item'],
    [{ op: 'add', path: '/a~1b~0c/x', value: 1 }, 'a plain value has no field "x"'],
    [{ op: 'replace', path: '/a~1b~0c/x/y', value: 1 }, 'a plain value has no field "x"'],
    [{ op: 'copy', path: '/x', from: '/a~1b~0c/y' }, 'there is no "y" on the path'],
    [{ op: 'copy', path: '/x' }, '"copy" needs "from"'],
    [{ op: 'move', path: '/x' }, '"move" needs "from"'],
    [{ op: 'move', path: '/build/x', from: '/build' }, 'there is no "build" on the path'],
    [{ op: 'add', path: '/x' }, '"add" needs a value'],
    [{ path: '/build' }, '"replace" needs a value'],
    [{ op: 'test', path: '/build' }, '"test" needs a value'],
    [{ op: 'add', path: 'x', value: 1 }, 'a path begins with "/"'],
    [{ op: 'add', value: 1 }, 'a path begins with "/"'],
    [{ op: 'merge', path: '/x', value: 1 }, 'there is no operation "merge"'],
    [{ op: 'test', path: '/a~1b~0c', value: '1' }, elsewhere],
    [{ op: 'test', path: `${list}/1`, value: { image: 'api=1', context: 'b' } }, elsewhere],
    [{ op: 'test', path: `${list}/0`, value: { image: 'web' } }, elsewhere],
    [{ op: 'test', path: `${list}/1`, value: { other: 'api=1' } }, elsewhere],
    [{ op: 'test', path: `${list}/1`, value: ['api=1'] }, elsewhere],
    [{ op: 'test', path: '/build', value: null }, elsewhere],
  ])('%j cannot be applied: %s', (patch, reason) => {
    expect(patched(patch)).toBe(reason);
  });

  test('distinguishes a list from a map, and null from both', () => {
    const tree = { list: ['x'], map: { '0': 'x' }, none: null };
    const passes = (path: string, value: unknown): boolean =>
      patched({ op: 'test', path, value }, tree) !== elsewhere;
    expect([passes('/list', ['x']), passes('/list', { '0': 'x' })]).toEqual([true, false]);
    expect([passes('/map', { '0': 'x' }), passes('/map', ['x'])]).toEqual([true, false]);
    expect([passes('/none', null), passes('/none', {}), passes('/map', null)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('puts its value where the patch is, under a key that keeps its own place', () => {
    const patch = treeOf({ op: 'add', path: '/build', value: 1 }, 'profile.yaml');
    const result = applyPatch(treeOf(TREE) as LocatedMap, patch);
    const tree = result.kind === 'patched' ? result.tree : undefined;
    expect(partAt(tree, 'build')?.at.file).toBe('profile.yaml');
    expect(tree?.fields.get('build')?.keyAt.file).toBe('skaffold.yaml');
    const added = applyPatch(
      treeOf(TREE) as LocatedMap,
      treeOf({ op: 'add', path: '/x', value: 1 }, 'profile.yaml'),
    );
    const keyAt = added.kind === 'patched' ? added.tree.fields.get('x')?.keyAt : undefined;
    expect(keyAt?.file).toBe('profile.yaml');
  });

  test('keeps the position of every key on the way to its value', () => {
    const before = treeOf(TREE) as LocatedMap;
    const result = applyPatch(before, treeOf({ path: '/build/artifacts/0/image', value: 'x' }));
    const after = result.kind === 'patched' ? result.tree : undefined;
    expect(after?.fields.get('build')?.keyAt).toEqual(before.fields.get('build')?.keyAt);
  });

  test('throws what is a defect of its caller, instead of a patch that can not be applied', () => {
    const patch = treeOf({ op: 'add', path: '/x', value: 1 });
    expect(() => applyPatch(undefined as never, patch)).toThrow(TypeError);
  });
});
