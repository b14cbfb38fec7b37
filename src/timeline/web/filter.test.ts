import { expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import { EVERYTHING, matching, namespacesOf, toggled } from './filter.ts';

const bar = sampleBar;

const bars = [
  bar('a', {}),
  bar('b', { lifecycle: 'rollout', outcome: 'Failed', reason: 'The table is LOCKED.' }),
  bar('c', { lifecycle: 'snapshot', kind: 'frozen', lane: 'shop/db' }),
];
const ids = (filter: Partial<typeof EVERYTHING>): string =>
  matching(bars, { ...EVERYTHING, ...filter }, 10_000)
    .map(({ id }) => id)
    .join('');

test('an empty filter returns the same list', () => {
  expect(matching(bars, { ...EVERYTHING, text: '  ' }, 0)).toBe(bars);
});

test('every search term must occur somewhere, in any case', () => {
  expect(ids({ text: 'locked table' })).toBe('b');
  expect(ids({ text: 'shop' })).toBe('abc');
  expect(ids({ text: 'frozen db' })).toBe('c');
  expect(ids({ text: 'frozen web' })).toBe('');
});

test('a search looks into output, reason, evidence and the next step', () => {
  const said = [
    bar('a', { stdout: 'waiting\nERROR 1205: lock wait timeout' }),
    bar('b', { stderr: 'permission denied' }),
    bar('c', { evidence: { verdict: 'Inconsistent: NotAtomic' } }),
    bar('d', { next: 'lifehook rollout retry -n shop cart' }),
  ];
  const found = (text: string): string =>
    matching(said, { ...EVERYTHING, text }, 0)
      .map(({ id }) => id)
      .join('');
  expect(found('error lock')).toBe('a');
  expect(found('Denied')).toBe('b');
  expect(found('verdict notatomic')).toBe('c');
  expect(found('retry cart')).toBe('d');
});

test('a namespace selects only targets in it', () => {
  const named = [
    bar('a', { lane: 'shop/web-0' }),
    bar('b', { lane: 'test/web-0' }),
    bar('c', { lane: 'shop/web', lifecycle: 'pipeline' }),
    bar('d', { lane: 'web', lifecycle: 'container' }),
  ];
  expect(namespacesOf(named)).toEqual(['shop', 'test']);
  const found = matching(named, { ...EVERYTHING, namespace: 'shop' }, 0);
  expect(found.map(({ id }) => id)).toEqual(['a']);
});

test('a time preset selects spans that ended since then or are open', () => {
  const timed = [
    bar('a', { startMs: 0, endMs: 3_999 }),
    bar('b', { startMs: 0, endMs: 4_000 }),
    bar('c', { startMs: 0, endMs: null }),
  ];
  const found = matching(timed, { ...EVERYTHING, lastMs: 6_000 }, 10_000);
  expect(found.map(({ id }) => id)).toEqual(['b', 'c']);
});

test('lifecycles and outcomes narrow the result together', () => {
  expect(ids({ lifecycles: ['pod', 'rollout'] })).toBe('ab');
  expect(ids({ lifecycles: ['pod', 'rollout'], outcomes: ['Failed'] })).toBe('b');
});

test('a filter chip toggles', () => {
  expect(toggled(['pod'], 'rollout')).toEqual(['pod', 'rollout']);
  expect(toggled(['pod', 'rollout'], 'pod')).toEqual(['rollout']);
});
