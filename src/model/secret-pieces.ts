/**
 * Masks secrets in base64 or hexadecimal that is broken into lines (ENG-S3), so that no line has the whole form.
 * Examples are the output of `base64` and `xxd -p`, and PEM files.
 *
 * - A word that begins or ends with a piece of such a form is masked completely: the rest of the word belongs to the
 *   secret too, or is useless without it.
 * - The next line may be shorter than a piece. It is masked if it is the end of a form and nothing else.
 *
 * Part of the shim: uses nothing that QuickJS lacks.
 */
import { base64Forms, hexForms } from './secret-forms.ts';
import type { MaskedStream } from './secrets.ts';

const MASK = '***';

/** Length of a piece, in characters; shorter pieces would match by chance. */
const PIECE_LENGTH = 8;
/** Minimum length of a form: if a shorter form is cut in two, neither half may have a whole piece. */
const FORM_LENGTH_MIN = 2 * PIECE_LENGTH;
/**
 * Maximum number of pieces for all secrets together. Secrets that exceed it are masked only where they are not broken.
 */
const PIECES_MAX = 200_000;
/** Maximum number of UTF-16 units of a word that are held back. */
const HELD_MAX = 8_192;

const WORD = /[\w+/-]{8,}/g;
/** A short line after a masked word. A line with fewer than three characters would match by chance. */
const LINE_AFTER_MASK = /(\*{3}={0,2}\r?\n)([\w+/-]{3,7})(?=={0,2}(?:\r?\n|$))/g;
const IN_WORD = /[\w+/-]/;

/**
 * Substrings of the forms, of the length of a piece, and the shorter ends of the forms. They start at each character of
 * base64, and at each byte of hexadecimal.
 */
type Pieces = ReadonlySet<string>;

/** The pieces of the last list, cached since the environment has the same secrets for every hook. */
let last: { readonly key: string; readonly pieces: Pieces } | null = null;
const NONE: Pieces = new Set();

export function piecesOf(secrets: readonly string[]): Pieces {
  if (secrets.length === 0) return NONE;
  const key = [...new Set(secrets)].join('\0');
  if (last?.key !== key) last = { key, pieces: makePieces(secrets) };
  return last.pieces;
}

function makePieces(secrets: readonly string[]): Pieces {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    // Includes the forms of the secret with a line feed, which `echo` and here-documents add: it changes the end of the
    // base64 form.
    const base64 = [...base64Forms(secret), ...base64Forms(`${secret}\n`)];
    for (const form of base64) addPieces(form, 1, pieces);
    for (const form of hexForms(secret)) addPieces(form, HEX_BYTE_LENGTH, pieces);
  }
  return pieces;
}

function addPieces(form: string, step: number, pieces: Set<string>): void {
  if (form.length < FORM_LENGTH_MIN || pieces.size + form.length > PIECES_MAX) return;
  for (let at = 0; at < form.length; at += step) pieces.add(form.slice(at, at + PIECE_LENGTH));
}

const HEX_BYTE_LENGTH = 2;

export function maskPieces(text: string, pieces: Pieces): string {
  if (pieces.size === 0) return text;
  const masked = text.replaceAll(WORD, (word) => (isPiece(word, pieces) ? MASK : word));
  return masked.replaceAll(LINE_AFTER_MASK, (all, before: string, line: string) =>
    pieces.has(line) ? before + MASK : all,
  );
}

function isPiece(word: string, pieces: Pieces): boolean {
  return pieces.has(word.slice(0, PIECE_LENGTH)) || pieces.has(word.slice(-PIECE_LENGTH));
}

/** Holds the last word back until it has ended, and a short line until it is complete. */
export function pieceStream(now: () => Pieces): MaskedStream {
  let held = '';
  /** The end of the text that was shown last, if it is a masked word with the rest of its line. */
  let before = '';
  const show = (text: string, pieces: Pieces): string => {
    if (pieces.size === 0) return text;
    const shown = maskPieces(before + text, pieces).slice(before.length);
    before = MASKED_END.exec((before + shown).slice(-MASKED_END_MAX))?.[0] ?? '';
    return shown;
  };
  return {
    push(piece): string {
      const text = held + piece;
      const pieces = now();
      const cut = pieces.size === 0 ? text.length : openPlace(text, before.endsWith('\n'));
      held = text.slice(cut);
      return show(text.slice(0, cut), pieces);
    },
    end(): string {
      const rest = show(held, now());
      held = '';
      return rest;
    },
  };
}

const MASKED_END = /\*{3}={0,2}\r?\n?$/;
const MASKED_END_MAX = 7;

/** The first offset at which later text may still change the masking. */
function openPlace(text: string, beginsLine: boolean): number {
  const lineStart = text.lastIndexOf('\n') + 1;
  const isLine = lineStart > 0 || beginsLine;
  const isShort = SHORT_LINE.test(text.slice(lineStart, lineStart + SHORT_LINE_MAX + 1));
  return isLine && isShort ? lineStart : lastWord(text);
}

/** A line that may be short. It may be incomplete, since the rest was not received yet. */
const SHORT_LINE = /^[\w+/-]{0,7}={0,2}\r?$/;
const SHORT_LINE_MAX = 10;

/**
 * The start of the last word of the text. The length of the text if it does not end in a word, or if that word is too
 * long to be held.
 */
function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && IN_WORD.test(text.charAt(at - 1))) {
    at -= 1;
    if (text.length - at > HELD_MAX) return text.length;
  }
  return at;
}
