import { expect, test } from 'vitest';

import { ticks } from './chart.ts';

const at = (hour: number, minute = 0, second = 0): number =>
  new Date(2026, 10, 22, hour, minute, second).getTime();

const labels = (fromMs: number, toMs: number, widthPx = 1_000): string[] =>
  ticks({ fromMs, toMs }, widthPx).map(({ label }) => label);

test('are at round times of the local clock', () => {
  expect(labels(at(12, 0, 1), at(12, 0, 59), 500)).toEqual(['12:00:15', '12:00:30', '12:00:45']);
  expect(labels(at(9, 10), at(11, 10), 600)).toEqual(['09:30', '10:00', '10:30', '11:00']);
});

test('show milliseconds in a window of milliseconds', () => {
  const fromMs = at(12);
  expect(labels(fromMs + 1, fromMs + 25, 300)).toEqual(['12:00:00.010', '12:00:00.020']);
});

test('show the day at midnight', () => {
  const found = ticks({ fromMs: at(22), toMs: at(26) }, 400);
  expect(found.filter(({ isDay }) => isDay).map(({ label }) => label)).toEqual(['23 Nov']);
});

test('are so far apart that no label touches the next', () => {
  for (let span = 10; span < 1e11; span *= 3.7) {
    const window = { fromMs: at(8), toMs: at(8) + span };
    const found = ticks(window, 1_200);
    const apart = found.slice(1).map(({ atMs }, index) => atMs - (found[index]?.atMs ?? 0));
    expect(Math.min(...apart, Infinity)).toBeGreaterThanOrEqual((span / 1_200) * 96);
    expect(found.length).toBeLessThan(14);
  }
});
