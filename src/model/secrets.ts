/**
 * Finds and masks secrets in a text or a stream, since they must not appear in a record, an event or on a terminal. It
 * finds them by value, in the forms of secret-forms.ts and the pieces of secret-pieces.ts, and by shape
 * (secret-shapes.ts). A secret that a program encodes in another way (one character per line, compressed) is not found.
 * Part of the shim: uses nothing that QuickJS lacks.
 */
import { secretForms } from './secret-forms.ts';
import { maskPieces, piecesOf, pieceStream } from './secret-pieces.ts';
import { maskShapes, shapeStream } from './secret-shapes.ts';

export interface Masker {
  /** Masks a complete text. */
  text(text: string): string;
  /** Masks a text that arrives in pieces. A secret is found wherever the text is split (ENG-S5). */
  stream(): MaskedStream;
}

export interface MaskedStream {
  /** Returns the text that can be shown; the end is held back while it may be the start of a secret. */
  push(piece: string): string;
  /** Returns the held text. */
  end(): string;
}

const mask = '***';

/** Words that mark a name as a secret only if they stand alone: DB_PASS and API_KEY, but not BYPASS or KEYBOARD. */
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

/** Words that mark a name as a secret even as parts of other words: PGPASSWORD, AccessToken. */
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

/** Names that contain one of the words above by chance; their values are paths. */
const harmlessNames = ['PWD', 'SSH_AUTH_SOCK'];

/** Whether a name marks a secret (ENG-S1). */
export function looksSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const looks = judge(name);
  // Cached, since an environment has the same names for every hook. Beyond the limit, names are judged each time.
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
  // A quick check first: this runs for every hook, and in QuickJS the split below costs as much as the rest.
  if (!wholeWords.some(holds)) return false;
  return upper.split(/[^A-Z0-9]+/).some((word) => wholeWords.includes(word));
}

/** The values whose names mark them as secrets, from an environment or from the headers of a request. */
export function secretValues(named: Readonly<Record<string, string>>): string[] {
  return Object.keys(named)
    .filter((name) => looksSecret(name))
    .map((name) => named[name] ?? '');
}

/**
 * The masker for all shown or recorded text, the same for every lifecycle. `late` is called with each piece and each
 * text. It returns the values that have become secret since the start, a list that only grows (ENG-S6).
 */
export function makeMasker(
  secrets: readonly string[],
  late: () => readonly string[] = noneLater,
): Masker {
  const values = knownValues(secrets, late);
  return {
    text: (text) => maskShapes(values.text(text)),
    stream: () => {
      const byValue = values.stream();
      const byShape = shapeStream();
      return {
        push: (piece) => byShape.push(byValue.push(piece)),
        end: () => byShape.push(byValue.end()) + byShape.end(),
      };
    },
  };
}

/** Masks by value only, for texts that were already masked by shape when they were emitted. */
export function maskValues(secrets: readonly string[]): Pick<Masker, 'text'> {
  return knownValues(secrets, noneLater);
}

const noneLater = (): readonly string[] => [];

/** Masks these values and those that `late` returns. The pattern is built again only if the list has grown. */
function knownValues(secrets: readonly string[], late: () => readonly string[]): Masker {
  let lateCount = 0;
  let all = secrets;
  let known = knownOf(all);
  const now = (): Known => {
    const more = late();
    if (more.length !== lateCount) {
      lateCount = more.length;
      all = [...secrets, ...more];
      known = knownOf(all);
    }
    return known;
  };
  let pieces: { readonly of: readonly string[]; readonly set: ReadonlySet<string> } | null = null;
  /** Built only when the first text arrives, since most hooks print nothing. */
  const piecesNow = (): ReadonlySet<string> => {
    if (pieces?.of !== all) pieces = { of: all, set: piecesOf(all) };
    return pieces.set;
  };
  return {
    text: (text) => {
      const masked = maskKnown(text, now());
      return maskPieces(masked, piecesNow());
    },
    stream: () => {
      const whole = maskStream(now);
      const inPieces = pieceStream(piecesNow);
      return {
        push: (piece) => inPieces.push(whole.push(piece)),
        end: () => inPieces.push(whole.end()) + inPieces.end(),
      };
    },
  };
}

interface Known {
  /** Sorted longest first: of two forms with the same start, the shorter one must not hide the longer one. */
  readonly forms: readonly string[];
  /** Matches any of the forms; null: there are no secrets. */
  readonly any: RegExp | null;
}

/** The forms of the last list, cached since the environment has the same secrets for every hook. */
let last: { readonly key: string; readonly known: Known } | null = null;
const NOTHING: Known = { forms: [], any: null };

function knownOf(secrets: readonly string[]): Known {
  if (secrets.length === 0) return NOTHING;
  const key = [...new Set(secrets)].join('\0');
  if (last?.key !== key) last = { key, known: makeKnown(secrets) };
  return last.known;
}

function makeKnown(secrets: readonly string[]): Known {
  const forms = secretForms(secrets);
  const any =
    forms.length === 0 ? null : new RegExp(forms.map((form) => escapePattern(form)).join('|'), 'g');
  return { forms, any };
}

function maskKnown(text: string, { any }: Known): string {
  return any === null ? text : text.replaceAll(any, mask);
}

function maskStream(now: () => Known): MaskedStream {
  let held = '';
  return {
    push(piece): string {
      const known = now();
      const text = held + piece;
      const cut = settledLength(text, known);
      held = text.slice(cut);
      return maskKnown(text.slice(0, cut), known);
    },
    end(): string {
      const rest = maskKnown(held, now());
      held = '';
      return rest;
    },
  };
}

/**
 * The length of the part of a text that can be printed now, since later text cannot change its masking. The part ends
 * at the first offset, outside of the found secrets, from which the rest may be the start of a secret. With the secrets
 * "abcd" and "abcdef", "x abcd" can be printed up to offset 2, "x abcd " up to its end, and so can "x abcdef".
 */
function settledLength(text: string, { forms, any }: Known): number {
  if (any === null) return text.length;
  let from = 0;
  for (const match of text.matchAll(any)) {
    const open = openPlace(text, forms, { from, to: match.index + 1 });
    if (open !== null) return open;
    from = match.index + match[0].length;
  }
  return openPlace(text, forms, { from, to: text.length }) ?? text.length;
}

/** The first offset in the range from which the text, up to its end, may be the start of a secret. */
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
