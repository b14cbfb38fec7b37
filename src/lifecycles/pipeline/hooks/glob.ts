/**
 * Matches the globs of hooks: for pod names as skaffold does, and for paths. A glob never becomes a regular expression.
 * So the cost is at most the pattern's length times the text's length, even with many stars. Pure.
 *
 * `*` any characters except "/", `?` one of them, `[a-z]` and `[^a-z]` one of a set, `\` escapes the next character.
 * Names are matched like Go's path.Match: a "!" in a set is a character, and a "-" in it needs a `\`. In paths `[!a-z]`
 * is `[^a-z]`, and a part `**` matches any number of directories, including none.
 */
type Range = readonly [from: string, to: string];

type Token =
  | { readonly kind: 'many' }
  | { readonly kind: 'one' }
  | { readonly kind: 'char'; readonly char: string }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly Range[];
    };

export type Glob =
  | { readonly kind: 'glob'; readonly matches: (text: string) => boolean }
  /** The reason is one sentence without its full stop. */
  | { readonly kind: 'wrong'; readonly reason: string };

/** In UTF-16 units. Longer patterns are mistakes. */
const MAX_PATTERN_UNITS = 4_096;

type Dialect = 'name' | 'path';

/**
 * Compiles a glob for names. Worked examples: "web-*" matches web-7f-x and not my-web-1; "[!x]" matches "!" and "x";
 * "[" is wrong.
 */
export function nameGlob(pattern: string): Glob {
  const tokens = tokensOf(pattern, 'name');
  if (typeof tokens === 'string') return { kind: 'wrong', reason: tokens };
  return { kind: 'glob', matches: (text) => matchesTokens(tokens, text) };
}

/**
 * Compiles a glob for paths. Worked examples: "src/**" matches src/a and src/b/c; "**\/*.js" matches a.js and b/c.js;
 * "*.js" only a.js.
 */
export function pathGlob(pattern: string): Glob {
  const parts: (readonly Token[] | 'folders')[] = [];
  for (const part of pattern.replace(/^\.\//, '').split('/')) {
    const tokens = part === '**' ? 'folders' : tokensOf(part, 'path');
    if (typeof tokens === 'string' && tokens !== 'folders')
      return { kind: 'wrong', reason: tokens };
    parts.push(tokens);
  }
  const rules = {
    isMany: (part: readonly Token[] | 'folders') => part === 'folders',
    fits: (part: readonly Token[] | 'folders', name: string) =>
      part !== 'folders' && matchesTokens(part, name),
  };
  return { kind: 'glob', matches: (path) => matchSequence(parts, path.split('/'), rules) };
}

function matchesTokens(tokens: readonly Token[], text: string): boolean {
  return matchSequence(tokens, Array.from(text), {
    isMany: ({ kind }) => kind === 'many',
    fits: fitsChar,
  });
}

function fitsChar(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'many':
      return false;
    case 'one':
      return true;
    case 'char':
      return token.char === char;
    case 'set':
      return token.negated !== token.ranges.some(([from, to]) => from <= char && char <= to);
    default:
      return token satisfies never;
  }
}

/**
 * Whether the items match the pattern. On a mismatch, only the last part with `isMany` takes one more item: earlier
 * parts with `isMany` never need a retry.
 */
export function matchSequence<P, I>(
  pattern: readonly P[],
  items: readonly I[],
  { isMany, fits }: { isMany: (part: P) => boolean; fits: (part: P, item: I) => boolean },
): boolean {
  let at = 0;
  let next = 0;
  let back: { at: number; next: number } | null = null;
  while (next < items.length) {
    const part = pattern[at];
    const item = items[next] as I;
    if (part !== undefined && isMany(part)) {
      back = { at, next };
      at += 1;
    } else if (part !== undefined && fits(part, item)) {
      at += 1;
      next += 1;
    } else if (back !== null) {
      back = { at: back.at, next: back.next + 1 };
      at = back.at + 1;
      next = back.next;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((part) => isMany(part));
}

/** The tokens, or a sentence: the pattern is invalid. */
function tokensOf(pattern: string, dialect: Dialect): readonly Token[] | string {
  if (pattern.length > MAX_PATTERN_UNITS)
    return `it is longer than ${MAX_PATTERN_UNITS} characters`;
  const chars = Array.from(pattern);
  const tokens: Token[] = [];
  let at = 0;
  while (at < chars.length) {
    const char = chars[at] ?? '';
    if (char === '[') {
      const set = readSet(chars, at + 1, dialect);
      if (typeof set === 'string') return set;
      tokens.push(set.value);
      at = set.next;
    } else if (char === '\\') {
      const taken = chars[at + 1];
      if (taken === undefined) return 'nothing follows its last "\\"';
      tokens.push({ kind: 'char', char: taken });
      at += 2;
    } else {
      tokens.push(plainToken(char));
      at += 1;
    }
  }
  return tokens;
}

function plainToken(char: string): Token {
  if (char === '*') return { kind: 'many' };
  return char === '?' ? { kind: 'one' } : { kind: 'char', char };
}

interface Read<T> {
  readonly value: T;
  readonly next: number;
}

/** The set, or a sentence: the set is invalid. */
function readSet(chars: readonly string[], start: number, dialect: Dialect): Read<Token> | string {
  const negated = chars[start] === '^' || (chars[start] === '!' && dialect === 'path');
  const ranges: Range[] = [];
  let at = negated ? start + 1 : start;
  while (chars[at] !== ']') {
    const range = readRange(chars, at, dialect);
    if (typeof range === 'string') return range;
    ranges.push(range.value);
    at = range.next;
  }
  if (ranges.length === 0) return EMPTY_SET;
  return { value: { kind: 'set', negated, ranges }, next: at + 1 };
}

const EMPTY_SET = 'there is nothing between "[" and "]"';
const OPEN_SET = 'a "[" has no closing "]"';
const BARE_DASH =
  'a "-" between "[" and "]" needs a character before and after it: write it as "\\-"';

function readRange(
  chars: readonly string[],
  start: number,
  dialect: Dialect,
): Read<Range> | string {
  const from = readChar(chars, start);
  if (from === null) return OPEN_SET;
  if (isNoBound(chars[start], dialect)) return BARE_DASH;
  const single: Read<Range> = { value: [from.value, from.value], next: from.next };
  if (chars[from.next] !== '-') return single;
  if (isNoBound(chars[from.next + 1], dialect)) return BARE_DASH;
  if (chars[from.next + 1] === ']') return single;
  const to = readChar(chars, from.next + 1);
  return to === null ? OPEN_SET : { value: [from.value, to.value], next: to.next };
}

const isNoBound = (char: string | undefined, dialect: Dialect): boolean =>
  dialect === 'name' && (char === '-' || char === ']');

function readChar(chars: readonly string[], start: number): Read<string> | null {
  const at = chars[start] === '\\' ? start + 1 : start;
  const value = chars[at];
  return value === undefined ? null : { value, next: at + 1 };
}
