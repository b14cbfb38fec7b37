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
