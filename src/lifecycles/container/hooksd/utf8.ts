/**
 * UTF-8 between bytes and text, in code that also runs where `TextDecoder` is missing (QuickJS).
 *
 * Decoding follows Go, whose `encoding/json` defines what a hooks.d file and a config.json mean: every
 * byte that starts no valid sequence becomes one U+FFFD. (The web's decoder makes one U+FFFD of a whole
 * truncated sequence, so its result can be shorter.)
 */
import type { ByteText } from '../../../platform/platform.ts';

const REPLACEMENT = '\u{FFFD}';
const NOT_ASCII_BYTE = /[\x80-\xff]/;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Well-formed sequences by their first byte (Unicode, table 3-7). The range of the second byte excludes
 * overlong forms, surrogates and what lies beyond U+10FFFF.
 */
const SHAPES = [
  { from: 0xc2, to: 0xdf, length: 2, second: [0x80, 0xbf] },
  { from: 0xe0, to: 0xe0, length: 3, second: [0xa0, 0xbf] },
  { from: 0xed, to: 0xed, length: 3, second: [0x80, 0x9f] },
  { from: 0xe1, to: 0xef, length: 3, second: [0x80, 0xbf] },
  { from: 0xf0, to: 0xf0, length: 4, second: [0x90, 0xbf] },
  { from: 0xf1, to: 0xf3, length: 4, second: [0x80, 0xbf] },
  { from: 0xf4, to: 0xf4, length: 4, second: [0x80, 0x8f] },
] as const;

export function decodeUtf8(bytes: ByteText): string {
  // Nearly every file is ASCII, which means the same as text and as bytes.
  if (!NOT_ASCII_BYTE.test(bytes)) return bytes;
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? REPLACEMENT : String.fromCodePoint(codePointAt(bytes, at, length));
    at += length === 0 ? 1 : length;
  }
  return text;
}

/** A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD. */
export function encodeUtf8(text: string): ByteText {
  if (!NOT_ASCII.test(text)) return text;
  let bytes = '';
  for (const character of text) bytes += encodeOne(character.codePointAt(0) ?? 0);
  return bytes;
}

/** How many bytes the sequence at `at` has; 0 when there is no valid one. */
function sequenceLength(bytes: ByteText, at: number): number {
  const lead = bytes.charCodeAt(at);
  if (lead < 0x80) return 1;
  const shape = SHAPES.find(({ from, to }) => lead >= from && lead <= to);
  if (shape === undefined) return 0;
  for (let next = 1; next < shape.length; next += 1) {
    const byte = bytes.charCodeAt(at + next);
    const [low, high] = next === 1 ? shape.second : [0x80, 0xbf];
    // Written this way round because the code past the end is NaN.
    if (!(byte >= low && byte <= high)) return 0;
  }
  return shape.length;
}

function codePointAt(bytes: ByteText, at: number, length: number): number {
  const lead = bytes.charCodeAt(at);
  if (length === 1) return lead;
  let code = lead & (0x7f >> length);
  for (let next = 1; next < length; next += 1) {
    code = (code << 6) | (bytes.charCodeAt(at + next) & 0x3f);
  }
  return code;
}

function encodeOne(code: number): ByteText {
  if (code < 0x80) return String.fromCharCode(code);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), tail(code));
  if (code >= 0xd800 && code <= 0xdfff) return '\xef\xbf\xbd';
  if (code < 0x10000) {
    return String.fromCharCode(0xe0 | (code >> 12), tail(code >> 6), tail(code));
  }
  return String.fromCharCode(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code));
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f);
}
