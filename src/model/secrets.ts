/**
 * Secrets that must not appear in a record, an event or on a terminal: which values they are, and how
 * a text or a stream is masked. Only the value as it stands is found, not what a program makes of it
 * (base64, URL escapes, one character per line). Part of the shim: nothing that QuickJS lacks.
 */
export interface Masker {
  /** For a text that is complete. */
  text(text: string): string;
  /** For a text that comes in pieces: a secret is found wherever it is cut. */
  stream(): MaskedStream;
}

export interface MaskedStream {
  /** What can be shown so far; the end is held back while it may be the beginning of a secret. */
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

/**
 * Shorter values ("1", "yes", "dev") are no secrets worth the name, and masking them would tear holes
 * into every text and so give away what they are.
 */
const secretLengthMin = 4;

const mask = '***';

/** Words that tell a secret when they stand alone: DB_PASS and API_KEY, but not BYPASS or KEYBOARD. */
const wholeWords = [
  'AUTH',
  'AUTHORIZATION',
  'COOKIE',
  'CREDS',
  'KEY',
  'KEYS',
  'PASS',
  'PAT',
  'PWD',
];

/** Words that tell a secret also when they are glued to others: PGPASSWORD, AccessToken. */
const gluedWords = [
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'SECRET',
  'CREDENTIAL',
  'TOKEN',
  'APIKEY',
  'ACCESSKEY',
  'PRIVATEKEY',
];

/** Places, whose names happen to hold such a word. */
const harmlessNames = ['PWD', 'OLDPWD', 'SSH_AUTH_SOCK'];

export function looksSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const looks = judge(name);
  // An environment has the same names at every hook; one that has others each time is judged each time.
  if (judged.size < judgedMax) judged.set(name, looks);
  return looks;
}

const judged = new Map<string, boolean>();
const judgedMax = 1_000;

function judge(name: string): boolean {
  const upper = name.toUpperCase();
  if (harmlessNames.includes(upper)) return false;
  const holds = (word: string): boolean => upper.includes(word);
  if (gluedWords.some(holds)) return true;
  // Asked at every hook, where QuickJS splits by a pattern no faster than it does all the rest.
  if (!wholeWords.some(holds)) return false;
  return upper.split(/[^A-Z0-9]+/).some((word) => wholeWords.includes(word));
}

/** The values whose names look secret: of an environment, or of the headers of a request. */
export function secretValues(named: Readonly<Record<string, string>>): string[] {
  return Object.keys(named)
    .filter((name) => looksSecret(name))
    .map((name) => named[name] ?? '');
}

export function makeMasker(secrets: readonly string[]): Masker {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= secretLengthMin)
    // Of two that begin alike the longer one: masking the shorter would show the rest of the longer.
    .toSorted((a, b) => b.length - a.length);
  if (known.length === 0) return maskNothing;
  const anySecret = new RegExp(known.map((secret) => escapePattern(secret)).join('|'), 'g');
  return {
    text: (text) => text.replaceAll(anySecret, mask),
    stream: () => maskStream(known, anySecret),
  };
}

const maskNothing: Masker = {
  text: (text) => text,
  stream: () => ({ push: (piece) => piece, end: () => '' }),
};

function maskStream(known: readonly string[], anySecret: RegExp): MaskedStream {
  let held = '';
  return {
    push(piece): string {
      const text = held + piece;
      const cut = settledLength(text, known, anySecret);
      held = text.slice(cut);
      return text.slice(0, cut).replaceAll(anySecret, mask);
    },
    end(): string {
      const rest = held.replaceAll(anySecret, mask);
      held = '';
      return rest;
    },
  };
}

/**
 * The length of the part of a text that no continuation can change: up to the first place outside the
 * secrets found where the rest may be the beginning of one. With the secrets "abcd" and "abcdef",
 * "x abcd" is settled up to 2, "x abcd " up to its end, and so is "x abcdef".
 */
function settledLength(text: string, known: readonly string[], anySecret: RegExp): number {
  let from = 0;
  for (const match of text.matchAll(anySecret)) {
    const open = openPlace(text, known, { from, to: match.index + 1 });
    if (open !== null) return open;
    from = match.index + match[0].length;
  }
  return openPlace(text, known, { from, to: text.length }) ?? text.length;
}

/** The first place within a range from which the text up to its end may be the beginning of a secret. */
function openPlace(
  text: string,
  known: readonly string[],
  range: { from: number; to: number },
): number | null {
  const longest = known[0]?.length ?? 0;
  for (let at = Math.max(range.from, text.length - longest + 1); at < range.to; at += 1) {
    const length = text.length - at;
    const begins = (secret: string): boolean =>
      secret.length > length && secret[0] === text[at] && secret.startsWith(text.slice(at));
    if (known.some((secret) => begins(secret))) return at;
  }
  return null;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
