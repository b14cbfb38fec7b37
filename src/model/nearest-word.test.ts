import { expect, test } from 'vitest';

import { nearestWord } from './nearest-word.ts';

const known = ['timeoutSeconds', 'retry', 'failurePolicy', 'name', 'handler'];

test.each([
  ['timeoutSecond', 'timeoutSeconds'],
  ['timeoutseconds', 'timeoutSeconds'],
  ['failuerPolicy', 'failurePolicy'],
  ['rety', 'retry'],
  ['nane', 'name'],
])('nearestWord takes %s for %s mistyped', (written, meant) => {
  expect(nearestWord(written, known)).toBe(meant);
});

test.each(['', 'timeout', 'exec', 'x'.repeat(100_000)])(
  'nearestWord does not guess at %s',
  (written) => {
    expect(nearestWord(written, known)).toBeNull();
  },
);

test('nearestWord compares no word above 40 characters', () => {
  expect(nearestWord('a'.repeat(40), ['a'.repeat(41)])).not.toBeNull();
  expect(nearestWord('a'.repeat(41), ['a'.repeat(41)])).toBeNull();
});

test('nearestWord takes the nearest of several words', () => {
  expect(nearestWord('namee', ['nomes', 'name'])).toBe('name');
  expect(nearestWord('hostt', ['cost', 'host'])).toBe('host');
});
