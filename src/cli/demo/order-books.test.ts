import { expect, test } from 'vitest';

import {
  isEarlier,
  missingOrders,
  readBooks,
  readHistory,
  reasonsOf,
  serversWithin,
  spanOf,
} from './order-books.ts';
import type { Acknowledged } from './order-clients.ts';

const line = (id: string, quantity = 1): string => JSON.stringify({ id, item: 'tea', quantity });
const reported = (id: string, quantity = 1): Acknowledged => ({
  id,
  item: 'tea',
  quantity,
  by: 'pod',
  askedMs: 0,
  answeredMs: 1,
});

test('an order is missing when it is absent or differs', () => {
  const books = readBooks(`${line('a')}\n${line('b')}`);
  expect(missingOrders(books, [reported('a'), reported('b', 2), reported('c')])).toEqual([
    'b',
    'c',
  ]);
});

test('a line is torn when it is incomplete or is no order', () => {
  const { torn, orders } = readBooks(`${line('a')}\n{"id":"b","it\n{"id":"c"}`);
  expect(torn).toEqual(['{"id":"b","it', '{"id":"c"}']);
  expect([...orders.keys()]).toEqual(['a']);
});

test('a store is an earlier one when the later one begins with its complete lines', () => {
  const later = `${line('a')}\n${line('b')}`;
  const earlier = ['', line('a'), later, line('a').slice(0, 8), line('b')];
  expect(earlier.map((text) => isEarlier(text, later))).toEqual([false, true, true, false, false]);
});

test('a server counts when it served at any time of a span, not when it stopped before or started after', () => {
  const moment = (at: number, pod: string, what: string): string =>
    JSON.stringify({ at, pod, what, version: 2 });
  const history = readHistory(
    [
      moment(1, 'gone', 'serves'),
      moment(9, 'gone', 'is gone'),
      moment(2, 'slow', 'serves'),
      moment(11, 'slow', 'is gone'),
      moment(3, 'stays', 'serves'),
      moment(10, 'hook', 'mid begins'),
      moment(12, 'hook', 'mid has ended'),
      moment(13, 'next', 'serves'),
    ].join('\n'),
  );
  const span = spanOf(history, { stage: 'mid', version: 2 });
  expect(span).toEqual({ begin: 10, end: 12 });
  expect(serversWithin(history, span ?? { begin: 0, end: 0 })).toEqual(['slow', 'stays']);
  expect(spanOf(history, { stage: 'mid', version: 1 })).toBeNull();
});

test('reasons are counted, the most frequent first', () => {
  const failure = (reason: string): { askedMs: number; answeredMs: number; reason: string } => ({
    askedMs: 0,
    answeredMs: 0,
    reason,
  });
  expect(reasonsOf(['late', 'cut', 'cut'].map(failure))).toBe('2 x cut, 1 x late');
});
