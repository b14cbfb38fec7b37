/** Unquotes a JSON string literal by Go's rules. */
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

export type StringReading =
  | {
      readonly ok: true;
      readonly text: string;
      /** The offset after the closing quote. */ readonly end: number;
    }
  | { readonly ok: false; readonly at: number; readonly expected: string };

const REPLACEMENT = '\u{FFFD}';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads the literal whose opening quote is at `start`. */
export function readStringAt(bytes: ByteText, start: number): StringReading {
  let text = '';
  let plainFrom = start + 1;
  let at = plainFrom;
  for (;;) {
    const code = bytes.charCodeAt(at);
    if (code === 0x22) {
      return { ok: true, text: text + decodeUtf8(bytes.slice(plainFrom, at)), end: at + 1 };
    }
    if (code === 0x5c) {
      const escape = readEscape(bytes, at);
      if (!escape.ok) return escape;
      text += decodeUtf8(bytes.slice(plainFrom, at)) + escape.text;
      at = escape.end;
      plainFrom = at;
    } else if (code >= 0x20) {
      at += 1;
    } else {
      // Past the end the code is NaN, which is not a control character.
      const expected = code < 0x20 ? 'control characters written as \\u escapes' : 'a closing "';
      return { ok: false, at, expected };
    }
  }
}

function readEscape(bytes: ByteText, backslash: number): StringReading {
  const letter = bytes.charAt(backslash + 1);
  if (letter === 'u') return readUnicodeEscape(bytes, backslash);
  const text = ESCAPES[letter];
  if (text !== undefined) return { ok: true, text, end: backslash + 2 };
  return {
    ok: false,
    at: backslash + 1,
    expected: 'one of the characters " \\ / b f n r t u after the backslash',
  };
}

function readUnicodeEscape(bytes: ByteText, backslash: number): StringReading {
  const code = hexUnit(bytes, backslash);
  if (code === undefined) {
    return {
      ok: false,
      at: firstNonHex(bytes, backslash + 2),
      expected: 'four hexadecimal digits',
    };
  }
  const end = backslash + 6;
  if (code < 0xd800 || code > 0xdfff) return { ok: true, text: String.fromCharCode(code), end };
  const low = code < 0xdc00 ? hexUnit(bytes, end) : undefined;
  if (low === undefined || low < 0xdc00 || low > 0xdfff) {
    // A lone surrogate; the text after it is read separately.
    return { ok: true, text: REPLACEMENT, end };
  }
  return { ok: true, text: String.fromCharCode(code, low), end: end + 6 };
}

/** The value of the \u escape at `at`, if there is one. */
function hexUnit(bytes: ByteText, at: number): number | undefined {
  const digits = bytes.slice(at + 2, at + 6);
  const isUnit = bytes.startsWith('\\u', at) && /^[0-9a-fA-F]{4}$/.test(digits);
  return isUnit ? Number.parseInt(digits, 16) : undefined;
}

function firstNonHex(bytes: ByteText, from: number): number {
  let at = from;
  while (/^[0-9a-fA-F]$/.test(bytes.charAt(at))) at += 1;
  return at;
}
