/**
 * Patterns that need no regular expression engine. Most hooks.d patterns are plain text between anchors ("^/bin/sh$",
 * ".*\/init$"). Those are decided by string comparison. Most other patterns do not match, since a text that they
 * require is missing. So files that do not apply need no compilation by re2js.
 *
 * Everything here is plain data, so that an index can store it. The invariant, held by property tests: a literal form
 * decides exactly like the engine, and a required text is in every text that matches.
 */

/**
 * Matches the parts in this order, with anything but a newline between them. `start` and `end`: whether the first and
 * the last part are anchored to the ends of the text. No part contains a newline. "^a.*b$" is {start: true, parts:
 * ["a", "b"], end: true}; "a" is {start: false, parts: ["a"], end: false}.
 */
export interface LiteralForm {
  readonly start: boolean;
  readonly parts: readonly string[];
  readonly end: boolean;
}

type PatternShape =
  /** Matches if one of the forms does. */
  | { readonly kind: 'literal'; readonly forms: readonly LiteralForm[] }
  /** Needs the engine, but only for texts that contain `required` ("": for every text). */
  | { readonly kind: 'regex'; readonly required: string };

export function classify(pattern: string): PatternShape {
  // Without groups, classes and \Q…\E, every unescaped "|" separates whole alternatives.
  const forms = splitAlternatives(pattern).map((alternative) => literalForm(alternative));
  const literal = forms.filter((form) => form !== undefined);
  if (literal.length === forms.length) return { kind: 'literal', forms: literal };
  return { kind: 'regex', required: requiredText(pattern) };
}

export function matchesForm({ start, parts, end }: LiteralForm, text: string): boolean {
  const first = text.indexOf('\n');
  if (first === -1) return matchesLine({ start, parts, end }, text);
  // Neither a part nor the text between two parts contains a newline, so a match is within one line. A form with both
  // anchors must match the whole text, so it does not match.
  if (start && end) return false;
  if (start) return matchesLine({ start, parts, end }, text.slice(0, first));
  if (end) return matchesLine({ start, parts, end }, text.slice(text.lastIndexOf('\n') + 1));
  return text.split('\n').some((line) => matchesLine({ start, parts, end }, line));
}

function matchesLine({ start, parts, end }: LiteralForm, line: string): boolean {
  if (start && end && parts.length === 1) return line === parts[0];
  const headCount = start ? 1 : 0;
  const tailStart = parts.length - (end ? 1 : 0);
  const head = parts.slice(0, headCount).join('');
  const tail = parts.slice(tailStart).join('');
  if (!line.startsWith(head) || !line.endsWith(tail)) return false;
  const between = parts.slice(headCount, tailStart);
  return endOfAll(between, line, head.length) <= line.length - tail.length;
}

/** The end of the last part, if each part is matched as early as possible; Infinity: a part is missing. */
function endOfAll(parts: readonly string[], line: string, from: number): number {
  let end = from;
  for (const part of parts) {
    const at = line.indexOf(part, end);
    if (at === -1) return Infinity;
    end = at + part.length;
  }
  return end;
}

function splitAlternatives(pattern: string): string[] {
  return pattern.split(/(?<!\\)\|/);
}

/** undefined if the alternative has more than text, ".*" and anchors at its two ends. */
function literalForm(alternative: string): LiteralForm | undefined {
  const start = alternative.startsWith('^');
  const end = alternative.endsWith('$') && !alternative.endsWith('\\$');
  const inside = alternative.slice(start ? 1 : 0, end ? -1 : undefined);
  const pieces = inside.split('.*').map((piece) => plainText(piece));
  const parts = pieces.filter((piece) => piece !== undefined);
  if (parts.length !== pieces.length) return undefined;
  return { start, parts, end };
}

const PLAIN_PIECE = /^(?:[^\\.+*?()|[\]{}^$\n]|\\[!-/:-@[-`{-~])*$/;

/** The text of the piece, if it has only plain characters and escaped punctuation. */
function plainText(piece: string): string | undefined {
  return PLAIN_PIECE.test(piece) ? piece.replace(/\\(.)/g, '$1') : undefined;
}

/**
 * A text without which a pattern cannot match: the longest run of plain characters outside of every group, class,
 * alternative and repetition. If a required text is hard to prove, the answer is "", which every text contains.
 */
function requiredText(pattern: string): string {
  const tokens = tokenize(pattern);
  if (tokens === undefined) return '';
  const outside = withoutGroups(tokens);
  if (outside.some(({ kind }) => kind === 'alternative')) return '';
  return runsOf(outside).reduce((best, run) => (run.length > best.length ? run : best), '');
}

function runsOf(tokens: readonly Token[]): string[] {
  const runs: string[] = [];
  let run: string[] = [];
  for (const { kind, text } of tokens) {
    if (kind === 'character') {
      run.push(text);
    } else {
      // "b?", "b*" and "b{0,2}" also match without their character; "b+" does not.
      if (kind === 'optional') run.pop();
      runs.push(run.join(''));
      run = [];
    }
  }
  return [...runs, run.join('')];
}

/** Each group becomes one closing token, which ends a run. */
function withoutGroups(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({ kind }) => {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    return depth === 0;
  });
}

type TokenKind = 'character' | 'gap' | 'open' | 'close' | 'alternative' | 'optional' | 'repeated';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/**
 * Tried in this order. A pattern with flags such as (?i), \Q…\E, \x{…}, \pN or nested brackets has no tokens, so
 * nothing is proven about it.
 */
const TOKENS: readonly { readonly kind: TokenKind; readonly shape: RegExp }[] = [
  { kind: 'character', shape: /[^\\.+*?()|[\]{}^$]/uy },
  { kind: 'character', shape: /\\[!-/:-@[-`{-~]/uy },
  { kind: 'gap', shape: /[.^$]|\\[dDsSwWbBAzafnrtv]/uy },
  // A "]" at the start of a class is one of its characters; \1 prevents taking it as the end.
  { kind: 'gap', shape: /\[(?=(\^?\]?))\1(?:\\.|\[:\^?\w+:\]|[^\]\\[])*\]/uy },
  { kind: 'open', shape: /\((?!\?)|\(\?(?::|P?<\w+>)/uy },
  { kind: 'close', shape: /\)/uy },
  { kind: 'alternative', shape: /\|/uy },
  { kind: 'optional', shape: /[*?]|\{\d+(?:,\d*)?\}/uy },
  { kind: 'repeated', shape: /\+/uy },
];

function tokenize(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const token = tokenAt(pattern, at);
    if (token === undefined) return undefined;
    tokens.push({ kind: token.kind, text: token.text.replace('\\', '') });
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(pattern: string, at: number): Token | undefined {
  for (const { kind, shape } of TOKENS) {
    shape.lastIndex = at;
    const text = shape.exec(pattern)?.[0];
    if (text !== undefined) return { kind, text };
  }
  return undefined;
}
