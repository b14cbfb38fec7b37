import { describe, expect, it } from 'vitest';

import { readTrees, type Located } from './located-tree.ts';

const read = (text: string): Located => {
  const { trees, problems } = readTrees('a.yaml', text);
  expect(problems).toEqual([]);
  const [tree] = trees;
  if (tree === undefined) throw new Error('no document');
  return tree;
};
const keys = (tree: Located): string[] => (tree.kind === 'map' ? [...tree.fields.keys()] : []);

describe('readTrees', () => {
  it('records the positions of keys and values, and the text of a number', () => {
    const tree = read('a:\n  version: 1.10\n');
    const inner = tree.kind === 'map' ? tree.fields.get('a')?.value : undefined;
    const field = inner?.kind === 'map' ? inner.fields.get('version') : undefined;
    expect(field?.keyAt).toEqual({ file: 'a.yaml', line: 2, column: 3 });
    expect(field?.value).toMatchObject({ value: 1.1, text: '1.10', at: { line: 2, column: 12 } });
  });

  it('resolves aliases and merge keys, and prefers explicit keys', () => {
    const tree = read('base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\n');
    const use = tree.kind === 'map' ? tree.fields.get('use')?.value : undefined;
    expect(use === undefined ? [] : keys(use).toSorted()).toEqual(['x', 'y']);
    expect(use?.kind === 'map' ? use.fields.get('y')?.value : null).toMatchObject({ value: 3 });
  });

  it('reads several documents, and skips empty ones', () => {
    expect(readTrees('a.yaml', 'a: 1\n---\n---\nb: 2\n').trees.map(keys)).toEqual([['a'], ['b']]);
  });

  it('refuses alias bombs, cycles, deep nesting and invalid YAML', () => {
    const bomb = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x,x,x,x,x,x]'
        : `a${level}: &a${level} [${Array(6)
            .fill(`*a${level - 1}`)
            .join(',')}]`,
    ).join('\n');
    for (const text of [bomb, `a: ${'['.repeat(200)}${']'.repeat(200)}`, '{', 'a: *none'])
      expect(
        readTrees('a.yaml', text).problems.map(({ code }) => code),
        text,
      ).toEqual(['LHG030']);
    const cyclic = readTrees('a.yaml', 'a: &a\n  b: *a\n');
    expect(cyclic.problems).toHaveLength(1);
  });
});
