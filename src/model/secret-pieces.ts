/**
 * Secrets in base64 that is broken into lines, as `base64` and PEM files are: no line has the whole form. A word is masked
 * where its first or its last characters are a piece of the base64 of a secret: all of it, since what lies between is the
 * secret's too, or of no use without it. Part of the shim: nothing that QuickJS lacks.
 */
import { base64Forms } from './secret-forms.ts';
import type { MaskedStream } from './secrets.ts';

const MASK = '***';

/** Fewer characters would be found by chance. */
const PIECE_LENGTH = 8;
/** Of a form: a shorter one that is cut in two has no such piece in either half. */
const FORM_LENGTH_MIN = 2 * PIECE_LENGTH;
/** Of all secrets; those that come later in the list are searched for unbroken only. */
const PIECES_MAX = 200_000;
/** Held back of one word, UTF-16 units. */
const HELD_MAX = 8_192;

const WORD = /[\w+/-]{8,}/g;
const IN_WORD = /[\w+/-]/;

type Pieces = ReadonlySet<string>;

/** Of the last list: the environment has the same secrets at every hook. */
let last: { readonly key: string; readonly pieces: Pieces } | null = null;

export function piecesOf(secrets: readonly string[]): Pieces {
  const key = secrets.join('\0');
  if (last?.key !== key) last = { key, pieces: makePieces(secrets) };
  return last.pieces;
}

function makePieces(secrets: readonly string[]): Pieces {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    for (const form of base64Forms(secret)) {
      if (form.length < FORM_LENGTH_MIN) continue;
      if (pieces.size + form.length > PIECES_MAX) return pieces;
      for (let at = 0; at + PIECE_LENGTH <= form.length; at += 1) {
        pieces.add(form.slice(at, at + PIECE_LENGTH));
      }
    }
  }
  return pieces;
}

export function maskPieces(text: string, pieces: Pieces): string {
  if (pieces.size === 0) return text;
  const isPiece = (word: string): boolean =>
    pieces.has(word.slice(0, PIECE_LENGTH)) || pieces.has(word.slice(-PIECE_LENGTH));
  return text.replaceAll(WORD, (word) => (isPiece(word) ? MASK : word));
}

/** The last word is held back until it has ended. */
export function pieceStream(now: () => Pieces): MaskedStream {
  let held = '';
  return {
    push(piece): string {
      const text = held + piece;
      const pieces = now();
      const cut = pieces.size === 0 ? text.length : lastWord(text);
      held = text.slice(cut);
      return maskPieces(text.slice(0, cut), pieces);
    },
    end(): string {
      const rest = maskPieces(held, now());
      held = '';
      return rest;
    },
  };
}

/** Where the word begins that the text ends in; its length where there is none, or one that is too long to be held. */
function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && IN_WORD.test(text.charAt(at - 1))) {
    at -= 1;
    if (text.length - at > HELD_MAX) return text.length;
  }
  return at;
}
