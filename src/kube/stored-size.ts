/**
 * The size of values as an API server stores them: JSON as Go encodes it, in UTF-8 bytes. Go writes `<`, `>`,
 * `&` and the two line separators of Unicode as six bytes each, so a text can be stored as six times its length.
 * Where versions of Go differ, the larger size counts.
 */

/** The part of a text that is kept where not all of it fits. */
export type KeptPart = 'start' | 'end';

export interface TextCut {
  /** Of the result, marker included. */
  readonly bytesMax: number;
  readonly keep: KeptPart;
  /** Put where something was left out; left out itself where there is no space for it. */
  readonly marker?: string;
}

/** The size of a value as JSON, bytes. */
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

/** The size of a text within a JSON string, bytes; its quotes are not counted. */
export function storedTextBytes(text: string): number {
  return storedBytes(text) - 2;
}

/** The text, or as much of it as fits, cut between two characters. */
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

/** Nearly every text: a byte for each character. */
const PLAIN = /^[^<>&\\\u0080-\u{10ffff}]*$/u;
const BACKSLASH = 0x5c;
const ESCAPED_BYTES = 6;

/** Of `\n` and its like; the four digits after `\u` are counted as they stand. */
function escapeBytes(letter: string | undefined): number {
  return letter === 'b' || letter === 'f' ? ESCAPED_BYTES : 2;
}

/** Each half of a surrogate pair counts half of its four bytes. */
function unitBytes(unit: number): number {
  if (unit === 0x3c || unit === 0x3e || unit === 0x26) return ESCAPED_BYTES;
  if (unit < 0x80) return 1;
  if (unit < 0x8_00) return 2;
  if (unit === 0x20_28 || unit === 0x20_29) return ESCAPED_BYTES;
  return unit >= 0xd8_00 && unit <= 0xdf_ff ? 2 : 3;
}
