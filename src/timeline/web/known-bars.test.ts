import { expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from '../bar.ts';
import { BARS_MAX, KnownBars } from './known-bars.ts';

const bar = (id: string, startMs = 0, more: Partial<Bar> = {}): Bar =>
  sampleBar(id, { lane: 'a', startMs, endMs: null, outcome: 'Running', ...more });

test('a span with a known id replaces the old one, and the list is a new array', () => {
  const known = new KnownBars();
  known.add([bar('a'), bar('b')]);
  const before = known.list;
  expect(known.list).toBe(before);
  known.add([bar('a', 0, { endMs: 5, outcome: 'Failed' })]);
  expect(known.list).not.toBe(before);
  expect(known.list.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
    'a Failed',
    'b Running',
  ]);
});

test('removed spans are absent, and all spans can be replaced', () => {
  const known = new KnownBars();
  known.add([bar('a'), bar('b')]);
  known.remove('a');
  expect(known.get('a')).toBeNull();
  known.replaceAll([bar('c')]);
  expect(known.list.map(({ id }) => id)).toEqual(['c']);
});

test('the oldest spans are removed beyond the limit', () => {
  const known = new KnownBars();
  known.add(Array.from({ length: BARS_MAX }, (_, index) => bar(`${index}`, index)));
  known.add([bar('new', BARS_MAX)]);
  expect(known.list).toHaveLength(BARS_MAX);
  expect(known.get('0')).toBeNull();
  expect(known.get('new')).not.toBeNull();
});
