/**
 * Parses JSON with positions, by the grammar of Go's `encoding/json`: no byte order mark, no comments, no
 * trailing comma or text, invalid UTF-8 and lone surrogates replaced by U+FFFD. The members of an object
 * stay a list, so that duplicates are visible; `json-fields.ts` decides the meaning of duplicates and of a key's
 * case. Why this is our own code: docs/decisions/hooksd-own-json-reader.md.
 */
import type { Position } from '../../../model/problem.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { readStringAt } from './json-string.ts';

/** Maximum depth. A hook file has 3 levels. Go accepts 10 000, but the stack of QuickJS is too small for them. */
const JSON_DEPTH_MAX_LEVELS = 100;

/** `at` is the offset of the value's first byte. */
export type JsonValue = { readonly at: number } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'string'; readonly text: string }
  /** As written in the file: "1", "1.0" and "1e0" differ for Go. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
);

export type JsonObject = Extract<JsonValue, { kind: 'object' }>;

export interface JsonMember {
  readonly key: string;
  /** The offset of the key's opening quote. */
  readonly at: number;
  readonly value: JsonValue;
}

export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | {
      readonly ok: false;
      readonly at: number;
      readonly expected: string;
      readonly found: string;
    };

export function readJson(text: ByteText): JsonReading {
  const cursor: Cursor = { text, at: 0, depth: 0 };
  try {
    const value = readValue(cursor);
    skipSpace(cursor);
    if (cursor.at < text.length) throw new Unexpected(cursor.at, 'the end of the file');
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return {
      ok: false,
      at: error.at,
      expected: error.expected,
      found: error.found ?? describe(text, error.at),
    };
  }
}

interface Cursor {
  readonly text: ByteText;
  at: number;
  depth: number;
}

class Unexpected extends Error {
  readonly at: number;
  readonly expected: string;
  readonly found: string | undefined;

  constructor(at: number, expected: string, found?: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
    this.found = found;
  }
}

function readValue(cursor: Cursor): JsonValue {
  skipSpace(cursor);
  const at = cursor.at;
  switch (cursor.text.charAt(at)) {
    case '{':
      return { kind: 'object', at, members: nested(cursor, readMembers) };
    case '[':
      return { kind: 'array', at, items: nested(cursor, readItems) };
    case '"':
      return { kind: 'string', at, text: readText(cursor) };
    case 't':
      return { kind: 'boolean', at, value: readWord(cursor, 'true', true) };
    case 'f':
      return { kind: 'boolean', at, value: readWord(cursor, 'false', false) };
    case 'n':
      readWord(cursor, 'null', null);
      return { kind: 'null', at };
    default:
      return { kind: 'number', at, text: readNumber(cursor) };
  }
}

function nested<T>(cursor: Cursor, read: (cursor: Cursor) => T): T {
  cursor.depth += 1;
  if (cursor.depth > JSON_DEPTH_MAX_LEVELS) {
    const limit = `at most ${JSON_DEPTH_MAX_LEVELS} levels of nesting`;
    throw new Unexpected(cursor.at, limit, 'one more');
  }
  cursor.at += 1;
  const inside = read(cursor);
  cursor.depth -= 1;
  return inside;
}

function readMembers(cursor: Cursor): JsonMember[] {
  const members: JsonMember[] = [];
  if (closes(cursor, '}')) return members;
  for (;;) {
    skipSpace(cursor);
    const at = cursor.at;
    const first = members.length === 0;
    if (cursor.text[at] !== '"') throw new Unexpected(at, first ? 'a key or "}"' : 'a key');
    const key = readText(cursor);
    skipSpace(cursor);
    if (cursor.text[cursor.at] !== ':') throw new Unexpected(cursor.at, '":" after the key');
    cursor.at += 1;
    members.push({ key, at, value: readValue(cursor) });
    if (closes(cursor, '}')) return members;
    readComma(cursor, '"," or "}"');
  }
}

function readItems(cursor: Cursor): JsonValue[] {
  const items: JsonValue[] = [];
  if (closes(cursor, ']')) return items;
  for (;;) {
    items.push(readValue(cursor));
    if (closes(cursor, ']')) return items;
    readComma(cursor, '"," or "]"');
  }
}

function closes(cursor: Cursor, bracket: '}' | ']'): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== bracket) return false;
  cursor.at += 1;
  return true;
}

function readComma(cursor: Cursor, expected: string): void {
  if (cursor.text[cursor.at] !== ',') throw new Unexpected(cursor.at, expected);
  cursor.at += 1;
}

function readText(cursor: Cursor): string {
  const reading = readStringAt(cursor.text, cursor.at);
  if (!reading.ok) throw new Unexpected(reading.at, reading.expected);
  cursor.at = reading.end;
  return reading.text;
}

function readWord<T>(cursor: Cursor, word: string, value: T): T {
  for (const letter of word) {
    if (cursor.text[cursor.at] !== letter) throw new Unexpected(cursor.at, `the word ${word}`);
    cursor.at += 1;
  }
  return value;
}

function readNumber(cursor: Cursor): string {
  const start = cursor.at;
  if (cursor.text[cursor.at] === '-') cursor.at += 1;
  const expected = cursor.at === start ? 'a value' : 'a digit';
  if (cursor.text[cursor.at] === '0') cursor.at += 1;
  else readDigits(cursor, expected);
  if (cursor.text[cursor.at] === '.') {
    cursor.at += 1;
    readDigits(cursor, 'a digit');
  }
  if (isOneOf(cursor, 'eE')) {
    cursor.at += 1;
    if (isOneOf(cursor, '+-')) cursor.at += 1;
    readDigits(cursor, 'a digit');
  }
  return cursor.text.slice(start, cursor.at);
}

function readDigits(cursor: Cursor, expected: string): void {
  if (!isOneOf(cursor, DIGITS)) throw new Unexpected(cursor.at, expected);
  while (isOneOf(cursor, DIGITS)) cursor.at += 1;
}

const DIGITS = '0123456789';

function isOneOf(cursor: Cursor, characters: string): boolean {
  return cursor.at < cursor.text.length && characters.includes(cursor.text.charAt(cursor.at));
}

function skipSpace(cursor: Cursor): void {
  while (isOneOf(cursor, ' \t\r\n')) cursor.at += 1;
}

/** The text at `at`, for a message; unprintable bytes are shown by number. */
function describe(text: ByteText, at: number): string {
  if (at >= text.length) return 'the end of the file';
  if (text.startsWith('\xef\xbb\xbf', at)) return 'a byte order mark';
  const code = text.charCodeAt(at);
  if (code === 0x22) return 'a string';
  if (code > 0x20 && code < 0x7f) return `"${text.charAt(at)}"`;
  return `byte 0x${code.toString(16).padStart(2, '0')}`;
}

/** Returns a function that locates offsets in this file; the lines are found once, at the first call. */
export function locator(file: string, text: ByteText): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const line = lineOf(starts, offset);
    const before = text.slice(starts[line - 1] ?? 0, offset);
    return { file, line, column: decodeUtf8(before).length + 1 };
  };
}

function lineStarts(text: ByteText): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number, from 1, of the last line that starts at or before `offset`. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
