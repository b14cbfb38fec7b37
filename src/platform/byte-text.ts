/**
 * Converts between a file's exact bytes (`ByteText`, one character per byte) and their text. Pure. QuickJS has neither
 * TextDecoder nor Buffer, so none is used. Regular expressions skip runs of ASCII, since a loop costs 0.2 µs per
 * character in QuickJS.
 */
import type { ByteText } from './platform.ts';

const replacement = '\uFFFD';

/**
 * UTF-8 bytes as text. Each invalid byte becomes U+FFFD; with TextDecoder a cut sequence becomes only one. Unlike with
 * TextDecoder, a byte order mark is kept.
 */
export function decodeUtf8(bytes: ByteText): string {
  return bytes.replaceAll(/[\u0080-\u00FF]+/g, decodeRun);
}

/** The text of a user's file, without the byte order mark that some editors write. */
export function decodeUtf8File(bytes: ByteText): string {
  const text = decodeUtf8(bytes);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Text as UTF-8 bytes. A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD. */
export function encodeUtf8(text: string): ByteText {
  return text.replaceAll(/[\u0080-\u{10FFFF}]/gu, (character) =>
    encodePoint(character.codePointAt(0) ?? 0),
  );
}

/** Decodes a maximal run of bytes above 0x7F. No UTF-8 sequence extends beyond such a run. */
function decodeRun(run: string): string {
  let text = '';
  for (let at = 0; at < run.length;) {
    const lead = run.charCodeAt(at);
    const length = sequenceLength(lead);
    const point = length === 0 ? -1 : pointOf(run, at, length);
    text += point < 0 ? replacement : String.fromCodePoint(point);
    at += point < 0 ? 1 : length;
  }
  return text;
}

/** Number of bytes of the sequence that starts with this byte; 0: no sequence starts with it. */
function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/**
 * The smallest code point that needs this number of bytes. A longer sequence than needed is "overlong", and so invalid.
 */
const smallestPoint = [0, 0, 0x80, 0x800, 0x1_0000] as const;

/** The code point of the sequence at `at`; -1: the bytes are not UTF-8. */
function pointOf(run: string, at: number, length: number): number {
  let point = run.charCodeAt(at) & (0x7f >> length);
  for (let index = at + 1; index < at + length; index += 1) {
    const byte = run.charCodeAt(index);
    // After the last byte charCodeAt returns NaN, which fails this test too.
    if ((byte & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (byte & 0x3f);
  }
  const surrogate = point >= 0xd800 && point <= 0xdfff;
  const inRange = point >= (smallestPoint[length] ?? 0) && point <= 0x10_ffff;
  return inRange && !surrogate ? point : -1;
}

function encodePoint(point: number): string {
  if (point >= 0xd800 && point <= 0xdfff) return encodePoint(0xfffd);
  const tail = (shift: number): number => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), tail(0));
  if (point < 0x1_0000) return String.fromCharCode(0xe0 | (point >> 12), tail(6), tail(0));
  return String.fromCharCode(0xf0 | (point >> 18), tail(12), tail(6), tail(0));
}
