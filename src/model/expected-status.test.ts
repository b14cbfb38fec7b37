import { describe, expect, test } from 'vitest';

import { isExpected, parseExpectedStatus } from './expected-status.ts';

const list = (length: number): string => Array.from({ length }, () => '204').join();

describe('parseExpectedStatus', () => {
  test.each([
    ['2xx', 200, 299],
    ['5XX', 500, 599],
    ['204', 204, 204],
    ['200-299', 200, 299],
    ['100-599', 100, 599],
    ['any', 100, 599],
  ])('reads %s as %i to %i', (text, from, to) => {
    expect(parseExpectedStatus(text)).toEqual([{ from, to }]);
  });

  test('reads a comma-separated list, and accepts a status that any entry accepts', () => {
    const ranges = parseExpectedStatus('200, 204,3xx') ?? [];
    expect([200, 201, 204, 302].map((status) => isExpected(status, ranges))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('reads a list of 16 entries', () => {
    expect(parseExpectedStatus(list(16))).toHaveLength(16);
  });

  test.each([
    '',
    '2x',
    '6xx',
    '99',
    '600',
    '299-200',
    '200;204',
    '200,',
    'ok',
    '099',
    '2000',
    'a2xx',
    '2xxa',
    'a204',
    list(17),
  ])('refuses "%s"', (text) => {
    expect(parseExpectedStatus(text)).toBeNull();
  });
});
