import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from './byte-text.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

describe('decodeUtf8', () => {
  it('returns the text that encodeUtf8 encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text);
      }),
    );
  });

  it('reads any bytes without failing and keeps every character that TextDecoder reads', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const ours = decodeUtf8(latin1(bytes)).replaceAll('\uFFFD', '');
        const theirs = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect(ours).toBe(theirs.replaceAll('\uFFFD', ''));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['an overlong slash', '\u00C0\u00AF'],
    ['an encoded surrogate', '\u00ED\u00A0\u0080'],
    ['a point beyond U+10FFFF', '\u00F4\u0090\u0080\u0080'],
    ['a truncated sequence', 'a\u00E2\u0082'],
  ])('marks %s as unreadable', (_, bytes) => {
    expect(decodeUtf8(bytes)).toContain('\uFFFD');
  });
});

describe('encodeUtf8', () => {
  it('writes the same bytes as Buffer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(encodeUtf8(text)).toBe(Buffer.from(text, 'utf8').toString('latin1'));
      }),
    );
  });

  it('writes a lone surrogate as U+FFFD', () => {
    expect(encodeUtf8('a\uD800b')).toBe('a\u00EF\u00BF\u00BDb');
  });
});
