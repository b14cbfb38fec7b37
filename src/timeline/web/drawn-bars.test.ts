import { describe, expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Bar, BarOutcome } from '../bar.ts';
import { BARS_MAX, drawnBars, KnownBars, msOf, pxOf, type Scale, worstOf } from './drawn-bars.ts';
import { lanesOf, type Row } from './lanes.ts';

const scale: Scale = { window: { fromMs: 1_000, toMs: 2_000 }, widthPx: 1_000, nowMs: 1_900 };

function rowOf(spans: readonly (readonly [number, number | null, BarOutcome?])[]): Row {
  const bars = spans.map(([startMs, endMs, outcome = 'Succeeded'], index): Bar => ({
    id: String(index).padStart(6, '0'),
    lifecycle: 'pod',
    lane: 'web',
    kind: 'frozen',
    run: '1',
    point: 'preStop',
    name: 'drain',
    attempt: 1,
    startMs,
    endMs,
    outcome,
  }));
  return lanesOf(bars)[0]?.frozen ?? { bars: [], reachMs: [] };
}

describe('drawnBars', () => {
  test('returns the spans that touch the window, clipped near the canvas', () => {
    const row = rowOf([
      [100, 200],
      [900, 1_100],
      [1_500, 1_600],
      [1_990, 999_999],
      [2_001, 2_010],
    ]);
    expect(drawnBars(row, scale)).toEqual([
      { x: -50, widthPx: 150, from: 1, to: 2 },
      { x: 500, widthPx: 100, from: 2, to: 3 },
      { x: 990, widthPx: 60, from: 3, to: 4 },
    ]);
  });

  test('extends an open span to now', () => {
    expect(drawnBars(rowOf([[1_400, null]]), scale)).toEqual([
      { x: 400, widthPx: 500, from: 0, to: 1 },
    ]);
  });

  test('finds a long span that began before many short ones that have ended', () => {
    const row = rowOf([
      [0, 1_500],
      [100, 110],
      [200, 210],
      [1_700, 1_800],
    ]);
    expect(drawnBars(row, scale).map(({ from }) => from)).toContain(0);
  });

  test('merges spans into one cluster where they are too narrow to distinguish', () => {
    const row = rowOf(Array.from({ length: 900 }, (_, index) => [1_000 + index, 1_000.5 + index]));
    expect(drawnBars(row, scale)).toEqual([
      { x: 0, widthPx: expect.closeTo(899.5, 0), from: 0, to: 900 },
    ]);
  });

  test('never puts a visible span into a cluster', () => {
    const row = rowOf([
      [1_000, 1_001],
      [1_001, 1_002],
      [1_002, 1_050],
      [1_050, 1_051],
    ]);
    expect(drawnBars(row, scale).map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 3],
      [3, 4],
    ]);
  });

  test('gives a cluster the worst outcome of its spans', () => {
    const row = rowOf([
      [1_000, 1_000],
      [1_000, 1_000, 'Failed'],
      [1_001, 1_001, 'Running'],
    ]);
    const [cluster] = drawnBars(row, scale);
    expect(cluster && worstOf(row, cluster)).toBe('Failed');
  });

  test('returns no more pieces than pixels, for any number of spans', () => {
    const row = rowOf(
      Array.from({ length: 20_000 }, (_, index) => [1_000 + index / 20, 1_000 + index / 20]),
    );
    expect(drawnBars(row, scale).length).toBeLessThan(scale.widthPx / 2);
  });
});

test('pxOf and msOf are inverse', () => {
  expect(msOf(scale, pxOf(scale, 1_234))).toBeCloseTo(1_234);
});

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

test('an open span is kept beyond the limit, though it is the oldest', () => {
  const known = new KnownBars();
  known.add([bar('open')]);
  known.add(
    Array.from({ length: BARS_MAX }, (_, index) => bar(`${index}`, index, { endMs: index })),
  );
  expect(known.list).toHaveLength(BARS_MAX);
  expect(known.get('open')).not.toBeNull();
  expect(known.get('0')).toBeNull();
});
