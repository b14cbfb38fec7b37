import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { cutToBytes, storedBytes, storedTextBytes } from './stored-size.ts';

it('counts what Go escapes as six bytes, and other characters as UTF-8', () => {
  expect(storedTextBytes('<xml>&')).toBe(3 + 18);
  expect(storedTextBytes('\u2028\u2029')).toBe(12);
  expect(storedTextBytes('"\\\n\r\t')).toBe(10);
  expect(storedTextBytes('\b\f\u0001')).toBe(18);
  expect(storedTextBytes('ä€😀')).toBe(2 + 3 + 4);
  expect(storedTextBytes('\ud800')).toBe(6);
});

it('counts an object as its JSON, without the fields that are not set', () => {
  expect(storedBytes({ a: 1, b: undefined, 'c<': ['x', null] })).toBe(
    '{"a":1,"c\\u003c":["x",null]}'.length,
  );
});

it('leaves a text that fits as it is', () => {
  expect(cutToBytes('<a', { bytesMax: 7, keep: 'end', marker: '…' })).toBe('<a');
});

it('keeps the start or the end, and puts the marker where something was left out', () => {
  expect(cutToBytes('abcdef', { bytesMax: 4, keep: 'start' })).toBe('abcd');
  expect(cutToBytes('abcdef', { bytesMax: 6 - 1, keep: 'end', marker: '[]' })).toBe('[]def');
  expect(cutToBytes('abcdef', { bytesMax: 5, keep: 'start', marker: '…' })).toBe('ab…');
  expect(cutToBytes('abcdef', { bytesMax: 1, keep: 'end', marker: '…' })).toBe('f');
});

it('never cuts through a character, nor beyond the bytes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.nat(60),
      fc.constantFrom('start' as const, 'end' as const),
      (text, bytesMax, keep) => {
        const cut = cutToBytes(text, { bytesMax, keep, marker: '<>' });
        expect(storedTextBytes(cut)).toBeLessThanOrEqual(bytesMax);
        const kept = cut.replace('<>', '');
        expect(text.startsWith(kept) || text.endsWith(kept) || text.includes(kept)).toBe(true);
        expect(/\p{Surrogate}/u.test(kept)).toBe(false);
      },
    ),
  );
});
