import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, decodeUtf8File, encodeUtf8 } from './byte-text.ts';

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
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect(ours).toBe(expected.replaceAll('\uFFFD', ''));
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

  it('marks each byte of what is unreadable, as Go does', () => {
    for (const bytes of [
      '\u00F5\u0080\u0080\u0080',
      '\u00F8\u0090\u0080\u0080',
      '\u00FF\u0080',
      '\u00E0\u009F\u00BF',
      '\u00F0\u008F\u00BF\u00BF',
      '\u00ED\u00BF\u00BF',
    ])
      expect(decodeUtf8(bytes)).toBe('\uFFFD'.repeat(bytes.length));
  });

  it('keeps a byte order mark, which decodeUtf8File leaves out of a file', () => {
    const mark = encodeUtf8('\uFEFF');
    expect(decodeUtf8(`${mark}a`)).toBe('\uFEFFa');
    expect(['', 'a', `${mark}a`, `a${mark}`, `${mark}${mark}`].map(decodeUtf8File)).toEqual([
      '',
      'a',
      'a',
      'a\uFEFF',
      '\uFEFF',
    ]);
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

  it('writes and reads the first and the last character of each length', () => {
    const points = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff];
    for (const text of points.map((point) => String.fromCodePoint(point))) {
      const bytes = Buffer.from(text, 'utf8').toString('latin1');
      expect([encodeUtf8(text), decodeUtf8(bytes)]).toEqual([bytes, text]);
    }
  });

  it('writes a lone surrogate as U+FFFD', () => {
    expect(encodeUtf8('a\uD800b')).toBe('a\u00EF\u00BF\u00BDb');
    expect(encodeUtf8('\uDFFF')).toBe('\u00EF\u00BF\u00BD');
  });
});
