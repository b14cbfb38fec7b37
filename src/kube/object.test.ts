import { expect, it } from 'vitest';

import { isNotAfter } from './object.ts';

it.each([
  ['9', '10', true],
  ['10', '10', true],
  ['11', '10', false],
  ['18446744073709551614', '18446744073709551615', true],
  ['18446744073709551615', '18446744073709551614', false],
  ['abc', 'abd', false],
  ['abc', 'abc', true],
  ['7', '', false],
  ['', '7', false],
])('isNotAfter: %j is not after %j: %s', (version, position, expected) => {
  expect(isNotAfter(version, position)).toBe(expected);
});
