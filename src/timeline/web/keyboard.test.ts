import { expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from '../bar.ts';
import { neighbour, nextFailure, type Step } from './keyboard.ts';
import { lanesOf } from './lanes.ts';

const bar = (id: string, startMs: number, more: Partial<Bar> = {}): Bar =>
  sampleBar(id, { lane: 'a', startMs, endMs: startMs + 1, ...more });

const a1 = bar('a1', 10);
const a2 = bar('a2', 20, { outcome: 'Failed' });
const b1 = bar('b1', 5, { lane: 'b' });
const b2 = bar('b2', 19, { lane: 'b', outcome: 'Unknown' });
const lanes = lanesOf([a2, a1, b2, b1]);

test.each<[Bar | null, Step, string | undefined]>([
  [null, 'later', 'a2'],
  [a1, 'later', 'a2'],
  [a2, 'later', undefined],
  [a2, 'earlier', 'a1'],
  [a1, 'above', undefined],
  [a1, 'below', 'b1'],
  [a2, 'below', 'b2'],
  [b1, 'above', 'a1'],
  [b1, 'last', 'b2'],
  [b2, 'first', 'b1'],
  [bar('gone', 1), 'later', 'a2'],
])('from %o, the neighbour %s is %s', (from, step, expected) => {
  expect(neighbour(lanes, from, step)?.id).toBe(expected);
});

test('there is no neighbour and no failure in an empty list', () => {
  expect(neighbour([], null, 'later')).toBeNull();
  expect(nextFailure([], null, 0)).toBeNull();
});

test('failures follow each other in time, and the first follows the last', () => {
  expect(nextFailure(lanes, b2, 0)?.id).toBe('a2');
  expect(nextFailure(lanes, a2, 0)?.id).toBe('b2');
  expect(nextFailure(lanes, a1, 0)?.id).toBe('b2');
});

test('the first failure is the first one in the visible window, else the newest', () => {
  expect(nextFailure(lanes, null, 0)?.id).toBe('b2');
  expect(nextFailure(lanes, null, 19.5)?.id).toBe('a2');
  expect(nextFailure(lanes, null, 30)?.id).toBe('a2');
});
