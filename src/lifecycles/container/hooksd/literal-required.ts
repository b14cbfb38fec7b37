/**
 * A text without which a pattern cannot match: the longest run of plain characters outside of
 * every group, class, alternative and repetition. If the proof would be harder, the answer
 * is "", which is true of every pattern.
 */
export function requiredText(pattern: string): string {
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
      // "b?", "b*" and "b{0,2}" can do without the character before them; "b+" cannot.
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

/** In this order. Flags such as (?i), \Q…\E, \x{…}, \pN and nested brackets are no token: no proof. */
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
    tokens.push({ kind: token.kind, text: unescaped(token) });
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

function unescaped({ kind, text }: Token): string {
  return kind === 'character' && text.length > 1 && text.startsWith('\\') ? text.slice(1) : text;
}
