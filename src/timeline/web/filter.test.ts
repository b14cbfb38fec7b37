import { expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import { EVERYTHING, matching, toggled } from './filter.ts';

const bar = sampleBar;

const bars = [
  bar('a', {}),
  bar('b', { lifecycle: 'rollout', outcome: 'Failed', reason: 'The table is LOCKED.' }),
  bar('c', { lifecycle: 'snapshot', kind: 'frozen', lane: 'shop/db' }),
];
const ids = (filter: Partial<typeof EVERYTHING>): string =>
  matching(bars, { ...EVERYTHING, ...filter })
    .map(({ id }) => id)
    .join('');

test('an empty filter returns the same list', () => {
  expect(matching(bars, { ...EVERYTHING, text: '  ' })).toBe(bars);
});

test('every search term must occur somewhere, in any case', () => {
  expect(ids({ text: 'locked table' })).toBe('b');
  expect(ids({ text: 'shop' })).toBe('abc');
  expect(ids({ text: 'frozen db' })).toBe('c');
  expect(ids({ text: 'frozen web' })).toBe('');
});

test('lifecycles and outcomes narrow the result together', () => {
  expect(ids({ lifecycles: ['pod', 'rollout'] })).toBe('ab');
  expect(ids({ lifecycles: ['pod', 'rollout'], outcomes: ['Failed'] })).toBe('b');
});

test('a filter chip toggles', () => {
  expect(toggled(['pod'], 'rollout')).toEqual(['pod', 'rollout']);
  expect(toggled(['pod', 'rollout'], 'pod')).toEqual(['rollout']);
});
