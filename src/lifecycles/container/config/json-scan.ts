/**
 * Finds the offsets of the parts of a JSON text, for an edit that must not change any other byte. It builds no values.
 * The text must be valid JSON (accepted by JSON.parse); only then are the results correct. Iterative, so nesting cannot
 * exhaust the stack.
 */
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

export interface Member {
  /** The key as text, decoded and unescaped. */
  readonly key: string;
  readonly keyAt: number;
  readonly valueAt: number;
  readonly valueEnd: number;
}

/** The members of the object whose "{" is at `open`, in the order of the text, with duplicates. */
export function scanMembers(text: ByteText, open: number): Member[] {
  const members: Member[] = [];
  let keyAt = skipSpace(text, open + 1);
  while (text[keyAt] === '"') {
    const keyEnd = endOfString(text, keyAt);
    const valueAt = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueAt);
    members.push({ key: unquote(text.slice(keyAt, keyEnd)), keyAt, valueAt, valueEnd });
    keyAt = skipSpace(text, skipSpace(text, valueEnd) + 1);
  }
  return members;
}

/** The start offsets of the items of the list whose "[" is at `open`. */
export function scanItems(text: ByteText, open: number): number[] {
  const items: number[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] !== ']') {
    items.push(at);
    const behind = skipSpace(text, endOfValue(text, at));
    at = text[behind] === ',' ? skipSpace(text, behind + 1) : behind;
  }
  return items;
}

/** The offset after the value that starts at `at`. */
export function endOfValue(text: ByteText, at: number): number {
  const first = text[at];
  if (first === '"') return endOfString(text, at);
  if (first === '{' || first === '[') return endOfNested(text, at);
  return matchFrom(/[,\]}\s]|$/g, text, at);
}

/** The first offset at or after `at` without JSON white space. */
export function skipSpace(text: ByteText, at: number): number {
  let index = at;
  while (isSpace(text[index])) index += 1;
  return index;
}

/** The offset after the last byte before `close` that is not white space. */
export function trimBefore(text: ByteText, close: number): number {
  let index = close;
  while (isSpace(text[index - 1])) index -= 1;
  return index;
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

function endOfString(text: ByteText, open: number): number {
  let quote = text.indexOf('"', open + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** A quote is escaped if an odd number of backslashes precedes it. */
function isEscaped(text: ByteText, quote: number): boolean {
  let index = quote;
  while (text[index - 1] === '\\') index -= 1;
  return (quote - index) % 2 === 1;
}

function endOfNested(text: ByteText, open: number): number {
  const structure = /["{}[\]]/g;
  let depth = 1;
  let at = open + 1;
  while (depth > 0) {
    const found = matchFrom(structure, text, at);
    const character = text[found];
    if (character === '{' || character === '[') depth += 1;
    else if (character !== '"') depth -= 1;
    at = character === '"' ? endOfString(text, found) : found + 1;
  }
  return at;
}

function matchFrom(pattern: RegExp, text: ByteText, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? text.length;
}

/** Bytes are decoded before escapes are resolved: an escape may spell a character that looks like a byte. */
function unquote(literal: ByteText): string {
  const text = decodeUtf8(literal);
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
}
