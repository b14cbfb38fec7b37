import { expect, test } from 'vitest';

import type { Bar } from '../bar.ts';
import {
  barLabel,
  barSentence,
  barTitle,
  clockText,
  countText,
  durationText,
  stateText,
  zoneText,
} from './words.ts';

const noon = new Date(2026, 10, 22, 12, 3, 4, 56).getTime();
const bar: Bar = {
  id: 'a',
  lifecycle: 'snapshot',
  lane: 'shop/db-0',
  kind: 'frozen',
  run: 'nightly',
  point: 'preAction',
  name: 'frozen',
  attempt: null,
  startMs: noon,
  endMs: null,
  outcome: 'Running',
};

test.each([
  [0, '0 ms'],
  [812.4, '812 ms'],
  [999.6, '1000 ms'],
  [1_000, '1.0 s'],
  [9_999, '9.9 s'],
  [12_500, '12 s'],
  [60_000, '1 min'],
  [64_000, '1 min 4 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [90_000_000, '1 d 1 h'],
  [-5, '0 ms'],
])('a duration of %d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('a time is written with the requested precision', () => {
  expect(clockText(noon, 'min')).toBe('12:03');
  expect(clockText(noon, 's')).toBe('12:03:04');
  expect(clockText(noon, 'ms')).toBe('12:03:04.056');
});

test('a time zone is written as its offset from UTC', () => {
  const zone = process.env['TZ'];
  try {
    for (const [name, text] of [
      ['UTC', 'UTC'],
      ['Europe/Berlin', 'UTC+1'],
      ['Asia/Kolkata', 'UTC+5:30'],
      ['America/St_Johns', 'UTC-3:30'],
    ] as const) {
      process.env['TZ'] = name;
      expect(zoneText(Date.UTC(2026, 10, 22))).toBe(text);
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test('a count of one is singular, any other is plural', () => {
  expect([1, 0, 10_000].map((count) => countText(count, 'bar'))).toEqual([
    '1 bar',
    '0 bars',
    '10,000 bars',
  ]);
});

test('only a second or later attempt is numbered', () => {
  const hook = { ...bar, kind: 'hook', name: 'migrate' } as const;
  expect(barTitle({ ...hook, attempt: 1 })).toBe('migrate');
  expect(barTitle({ ...hook, attempt: 2 })).toBe('migrate #2');
});

test('a label omits the target that the track already names', () => {
  const hook = { ...bar, lane: 'build/web', name: 'build/web/before/0', attempt: 2 };
  expect(barLabel(hook)).toBe('before/0 #2');
  expect(barLabel({ ...hook, name: 'build/website', attempt: 1 })).toBe('build/website');
});

test('an open freeze window reads "Still frozen", and a closed one shows its outcome', () => {
  const live = { nowMs: noon + 3_200, isStopped: false };
  expect(stateText(bar, live)).toBe('Still frozen');
  expect(stateText({ ...bar, endMs: noon + 1, outcome: 'Succeeded' }, live)).toBe(
    'Freeze window, Succeeded',
  );
  expect(barSentence(bar, live)).toBe(
    'Freeze window frozen (preAction) on shop/db-0: Still frozen, 3.2 s, from 12:03:04',
  );
});

test('a freeze window that is open in a report shows the time of the report', () => {
  expect(stateText(bar, { nowMs: noon + 3_200, isStopped: true })).toMatch(
    /^Frozen as of \d\d:\d\d:07$/,
  );
});
