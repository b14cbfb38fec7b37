import { assert, nat, property, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { samplePod } from '../../../../test/fixtures/rollout/sample-objects.ts';
import { formatIndexes, freeIndexes, INDEX, indexOfPod, parseIndexes } from './indexes.ts';

describe('indexes as text', () => {
  it.each([
    [[], ''],
    [[5, 2, 0, 1], '0-2,5'],
    [[0, 1], '0,1'],
    [[3], '3'],
    [[1, 3, 4, 5, 7, 8], '1,3-5,7,8'],
  ])('%j is %j', (indexes, text) => {
    expect(formatIndexes(new Set(indexes))).toBe(text);
  });

  it('read back as they were, whatever they are', () => {
    assert(
      property(uniqueArray(nat(99)), (indexes) => {
        const read = parseIndexes(formatIndexes(new Set(indexes)), 100);
        expect(read).toEqual(new Set(indexes.toSorted((a, b) => a - b)));
      }),
    );
  });

  it('lose those that the job has no more, and what is no index', () => {
    expect(parseIndexes('0-9,x,12', 4)).toEqual(new Set([0, 1, 2, 3]));
  });
});

it('free indexes are the lowest that nobody has', () => {
  expect(freeIndexes(2, 5, new Set([0, 2]))).toEqual([1, 3]);
  expect(freeIndexes(9, 3, new Set([0]))).toEqual([1, 2]);
});

it.each([
  ['2', 2],
  ['3', null],
  ['-1', null],
  ['', null],
])('the index %j of a pod of 3 is %j', (text, index) => {
  expect(indexOfPod(samplePod({ annotations: { [INDEX]: text } }), 3)).toBe(index);
});
