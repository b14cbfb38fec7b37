import { assert, nat, property, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { samplePod } from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { formatIndexes, freeIndexes, INDEX, indexOfPod, parseIndexes } from './indexes.ts';

describe('indexes as text', () => {
  it.each([
    [[], ''],
    [[5, 2, 0, 1], '0-2,5'],
    [[0, 1], '0,1'],
    [[3], '3'],
    [[1, 3, 4, 5, 7, 8], '1,3-5,7,8'],
  ])('%j is written as %j', (indexes, text) => {
    expect(formatIndexes(new Set(indexes))).toBe(text);
  });

  it('are the same after they were written and parsed', () => {
    assert(
      property(uniqueArray(nat(99)), (indexes) => {
        const read = parseIndexes(formatIndexes(new Set(indexes)), 100);
        expect(read).toEqual(new Set(indexes.toSorted((a, b) => a - b)));
      }),
    );
  });

  it('omit indexes beyond the completions and invalid text', () => {
    expect(parseIndexes('0-9,x,12', 4)).toEqual(new Set([0, 1, 2, 3]));
  });
});

it('free indexes are the lowest unused ones', () => {
  expect(freeIndexes(2, 5, new Set([0, 2]))).toEqual([1, 3]);
  expect(freeIndexes(9, 3, new Set([0]))).toEqual([1, 2]);
});

it.each([
  ['2', 2],
  ['3', null],
  ['-1', null],
  ['', null],
])('the annotation %j of a pod of 3 is the index %j', (text, index) => {
  expect(indexOfPod(samplePod({ annotations: { [INDEX]: text } }), 3)).toBe(index);
});
