import { expect, test } from 'vitest';

import { formatGoTime } from './go-time.ts';

const atMs = Date.UTC(2026, 6, 9, 15, 4, 5, 120);

test.each([
  ['2006-01-02_15-04-05.999_MST', 'UTC', '2026-07-09_15-04-05.12_UTC'],
  ['2006-01-02_15-04-05.000_MST', 'Europe/Berlin', '2026-07-09_17-04-05.120_CEST'],
  ['Mon Jan _2 3:04PM 06', 'America/New_York', 'Thu Jul  9 11:04AM 26'],
  ['Monday January 2 03pm 1 4 5', 'UTC', 'Thursday July 9 03pm 7 4 5'],
  ['-0700 -07:00 Z07:00 -07', 'Asia/Kolkata', '+0530 +05:30 +05:30 +05'],
  ['v_2006_2', 'UTC', 'v_2026 9'],
  ['Z0700 Z07 Z07:00', 'UTC', 'Z Z Z'],
  ['Z0700 Z07', 'Asia/Kolkata', '+0530 +05'],
  ['Z07:00 MST', 'UTC', 'Z UTC'],
  ['MST', 'Asia/Kolkata', '+0530'],
])('the layout %s in the time zone %s gives %s', (layout, timezone, text) => {
  expect(formatGoTime(layout, { atMs, timezone })).toBe(text);
});

test('a fraction of nines is omitted when the fraction is zero', () => {
  expect(formatGoTime('05.999', { atMs: 5_000, timezone: 'UTC' })).toBe('05');
});

test('an unknown time zone gives null', () => {
  expect(formatGoTime('2006', { atMs, timezone: 'Europe/Nowhere' })).toBeNull();
});

test('the time zone "Local" is accepted', () => {
  expect(formatGoTime('2006', { atMs, timezone: 'Local' })).toBe('2026');
});
