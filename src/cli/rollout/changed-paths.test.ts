import { expect, it } from 'vitest';

import { changedPaths } from './changed-paths.ts';

it('changedPaths returns the path of each difference', () => {
  const before = { a: { b: [{ c: 1 }, { c: 2 }] }, same: 'x', gone: true };
  const after = { a: { b: [{ c: 1 }, { c: 3 }, { c: 4 }] }, same: 'x', come: true };
  expect(changedPaths(before, after)).toEqual(['a.b[1].c', 'a.b[2]', 'come', 'gone']);
});

it('changedPaths treats absent, null and empty as equal', () => {
  expect(changedPaths({ a: null, b: [] }, { c: {} })).toEqual([]);
});

it('changedPaths returns at most fifty paths', () => {
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`f${at}`, at]));
  expect(changedPaths(many, {})).toHaveLength(50);
});
