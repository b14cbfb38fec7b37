import { describe, expect, test } from 'vitest';

import type { Bar } from '../bar.ts';
import {
  fitted,
  followed,
  following,
  newestStory,
  revealing,
  spanOf,
  zoomed,
} from './time-window.ts';

const MINUTE_MS = 60_000;

const bar = (startMs: number, endMs: number | null): Bar => ({
  id: `${startMs}`,
  lifecycle: 'pod',
  lane: 'web',
  kind: 'hook',
  run: '1',
  point: 'preStop',
  name: 'drain',
  attempt: 1,
  startMs,
  endMs,
  outcome: 'Succeeded',
});

describe('the time window', () => {
  test('keeps the time under the pointer when it is zoomed', () => {
    expect(zoomed({ fromMs: 0, toMs: 100 }, 0.5, 25)).toEqual({ fromMs: 12.5, toMs: 62.5 });
  });

  test('does not become shorter than a few milliseconds, nor longer than years', () => {
    let window = { fromMs: 0, toMs: 1_000 };
    for (let time = 0; time < 50; time += 1) window = zoomed(window, 0.5, 500);
    expect(spanOf(window)).toBe(4);
    for (let time = 0; time < 80; time += 1) window = zoomed(window, 2, 500);
    expect(spanOf(window)).toBe(1_000 * 86_400_000);
  });

  test('shows all spans since the first, and at least one minute, when it follows a run', () => {
    const begun = followed([bar(1_000_000, null)], 1_000_030);
    expect(spanOf(begun)).toBe(MINUTE_MS);
    expect(begun.toMs).toBeGreaterThan(1_000_030);
    const long = followed([bar(0, 1_000), bar(500_000, null)], 600_000);
    expect(long.fromMs).toBeLessThan(0);
    expect(long.toMs).toBeGreaterThan(600_000);
    expect(spanOf(long)).toBeLessThan(700_000);
  });

  test('contains all spans that it is fitted to, and extends open ones to now', () => {
    const { fromMs, toMs } = fitted([bar(100, 200), bar(150, null)], 1_100);
    expect(fromMs).toBeLessThan(100);
    expect(toMs).toBeGreaterThan(1_100);
    expect(toMs - fromMs).toBeLessThan(1_200);
  });

  test('is the last minute where there are no spans', () => {
    expect(fitted([], 100_000)).toEqual({ fromMs: 40_000, toMs: 100_000 });
  });

  test('keeps its duration when it follows now', () => {
    const window = following({ fromMs: 0, toMs: 100 }, 1_000);
    expect(spanOf(window)).toBe(100);
    expect(window.toMs).toBe(1_004);
  });

  test('moves only for a span outside of it, and no further than needed', () => {
    const window = { fromMs: 1_000, toMs: 2_000 };
    expect(revealing(window, bar(1_900, 5_000), 9_000)).toBe(window);
    expect(revealing(window, bar(500, 600), 9_000)).toEqual({ fromMs: 460, toMs: 1_460 });
    expect(revealing(window, bar(2_500, 2_600), 9_000)).toEqual({ fromMs: 1_640, toMs: 2_640 });
  });

  test('starts with the newest spans, back to the last pause of ten minutes', () => {
    const old = bar(0, MINUTE_MS);
    const first = bar(20 * MINUTE_MS, 21 * MINUTE_MS);
    const last = bar(30 * MINUTE_MS, 31 * MINUTE_MS);
    const nowMs = 500 * MINUTE_MS;
    expect(newestStory([first, old, last], nowMs)).toEqual([last, first]);
    expect(newestStory([old], nowMs)).toEqual([old]);
    // The open span is old, but it has not ended, so it is still part of the newest spans.
    expect(newestStory([bar(0, null), last], nowMs)).toHaveLength(2);
  });
});
