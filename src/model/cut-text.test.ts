import { expect, it } from 'vitest';

import { textEnd, textStart } from './cut-text.ts';

const FACE = '\u{1F600}';

it('keeps a text that is not too long', () => {
  expect([textStart(`a${FACE}`, 3), textEnd(`a${FACE}`, 3)]).toEqual([`a${FACE}`, `a${FACE}`]);
  expect([textStart('', 0), textEnd('', 0)]).toEqual(['', '']);
});

it('cuts between two characters', () => {
  expect([textStart('abc', 2), textEnd('abc', 2)]).toEqual(['ab', 'bc']);
  expect([1, 2, 3].map((max) => textStart(`${FACE}${FACE}`, max))).toEqual(['', FACE, FACE]);
  expect([1, 2, 3].map((max) => textEnd(`${FACE}${FACE}`, max))).toEqual(['', FACE, FACE]);
  expect([textStart(`${FACE}a`, 0), textEnd(`a${FACE}`, 0)]).toEqual(['', '']);
});
