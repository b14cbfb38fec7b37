import { Buffer } from 'node:buffer';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeUtf8, encodeUtf8 } from './utf8.ts';

test('decodeUtf8 and encodeUtf8 agree with Node on every well-formed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = Buffer.from(text, 'utf8').toString('latin1');
      expect(encodeUtf8(text)).toBe(bytes);
      expect(decodeUtf8(bytes)).toBe(Buffer.from(text, 'utf8').toString('utf8'));
    }),
  );
});

test.each([
  ['a truncated three-byte sequence', '\xe2\x82', '\u{FFFD}\u{FFFD}'],
  ['an encoded surrogate', '\xed\xa0\x80', '\u{FFFD}\u{FFFD}\u{FFFD}'],
  ['an overlong slash', '\xc0\xaf', '\u{FFFD}\u{FFFD}'],
  ['a code point beyond U+10FFFF', '\xf4\x90\x80\x80', '\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}'],
  ['a lone continuation byte between letters', 'a\x80b', 'a\u{FFFD}b'],
])('decodeUtf8 replaces each byte of %s, as Go does', (_what, bytes, text) => {
  expect(decodeUtf8(bytes)).toBe(text);
});

test('encodeUtf8 writes U+FFFD for a lone surrogate', () => {
  expect(encodeUtf8('a\ud800b')).toBe('a\xef\xbf\xbdb');
});
