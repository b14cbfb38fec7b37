/**
 * The size of values as an API server stores them: JSON as Go encodes it, in UTF-8 bytes. Go writes `<`, `>`, `&` and
 * the two Unicode line separators as six bytes each, so a stored text can have six times its length. Where versions of
 * Go differ, the larger size counts.
 */

/** The part that is kept if a text does not fit. */
export type KeptPart = 'start' | 'end';

export interface TextCut {
  /** Maximum size of the result, marker included. */
  readonly bytesMax: number;
  readonly keep: KeptPart;
  /** Text in place of the omitted part; left out if there is no space for it. */
  readonly marker?: string;
}

/** The size of a value as JSON, in bytes. */
export function storedBytes(value: object | string): number {
  const json = JSON.stringify(value);
  if (PLAIN.test(json)) return json.length;
  let bytes = 0;
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === BACKSLASH) {
      index += 1;
      bytes += escapeBytes(json[index]);
      continue;
    }
    bytes += unitBytes(unit);
  }
  return bytes;
}

/** The size of a text within a JSON string, in bytes, without its quotes. */
export function storedTextBytes(text: string): number {
  return storedBytes(text) - 2;
}

/** The text if it fits, else the kept part of it, cut between two characters. */
export function cutToBytes(text: string, { bytesMax, keep, marker = '' }: TextCut): string {
  if (storedTextBytes(text) <= bytesMax) return text;
  const markerBytes = storedTextBytes(marker);
  const mark = markerBytes <= bytesMax ? marker : '';
  const kept = fitting(text, keep, bytesMax - (mark === '' ? 0 : markerBytes));
  return keep === 'start' ? `${kept}${mark}` : `${mark}${kept}`;
}

function fitting(text: string, keep: KeptPart, bytesMax: number): string {
  const characters = Array.from(text);
  if (keep === 'end') characters.reverse();
  let left = bytesMax;
  const count = characters.findIndex((character) => {
    left -= storedTextBytes(character);
    return left < 0;
  });
  const kept = count === -1 ? characters : characters.slice(0, count);
  if (keep === 'end') kept.reverse();
  return kept.join('');
}

/** A text that needs one byte per character, as nearly all texts do. */
const PLAIN = /^[^<>&\\\u0080-\u{10ffff}]*$/u;
const BACKSLASH = 0x5c;
const ESCAPED_BYTES = 6;

/** The bytes of an escape such as `\n`. The four digits after `\u` are counted separately. */
function escapeBytes(letter: string | undefined): number {
  return letter === 'b' || letter === 'f' ? ESCAPED_BYTES : 2;
}

/** The bytes of one UTF-16 unit. Each half of a surrogate pair counts as two of the four bytes of its character. */
function unitBytes(unit: number): number {
  if (unit === 0x3c || unit === 0x3e || unit === 0x26) return ESCAPED_BYTES;
  if (unit < 0x80) return 1;
  if (unit < 0x8_00) return 2;
  if (unit === 0x20_28 || unit === 0x20_29) return ESCAPED_BYTES;
  return unit >= 0xd8_00 && unit <= 0xdf_ff ? 2 : 3;
}
