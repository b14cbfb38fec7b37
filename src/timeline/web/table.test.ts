import { expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import { NEWEST_FIRST, ordered, TABLE_COLUMNS, type TableColumn } from './table.ts';

const bars = [
  sampleBar('a', { startMs: 10, endMs: 19, lane: 'web-10', name: 'x', outcome: 'Succeeded' }),
  sampleBar('b', {
    startMs: 20,
    endMs: 21,
    lane: 'web-9',
    name: 'z',
    outcome: 'Failed',
    reason: 'z',
  }),
  sampleBar('c', { startMs: 30, endMs: null, lane: 'db', name: 'y', kind: 'frozen', reason: 'a' }),
];

const ids = (column: TableColumn, isDescending = false): string =>
  ordered(bars, { column, isDescending }, 1_000)
    .map(({ id }) => id)
    .join('');

test('the table begins with the newest span', () => {
  expect(ordered(bars, NEWEST_FIRST, 1_000).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

test('a frozen target is worse than a failure, and a failure worse than a success', () => {
  expect(ids('Outcome')).toBe('cba');
  expect(ids('Outcome', true)).toBe('abc');
});

test('names sort with their numbers, reasons before none, an open span by its length so far', () => {
  expect(ids('Track')).toBe('cba');
  expect(ids('Name')).toBe('acb');
  expect(ids('Reason')).toBe('cba');
  expect(ids('Duration')).toBe('bac');
});

test.each(TABLE_COLUMNS)('equal spans stay newest first by %s', (column) => {
  const same = [1, 2, 3].map((startMs) => sampleBar(`${startMs}`, { startMs, endMs: startMs + 1 }));
  const order = ordered(same, { column, isDescending: column === 'Started' }, 9).map(
    ({ id }) => id,
  );
  expect(order).toEqual(['3', '2', '1']);
});
