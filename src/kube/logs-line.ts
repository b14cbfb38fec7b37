/**
 * Cuts a stream of bytes into the lines of a log. What comes after the last line break is a line only
 * when the stream has ended as it should: after a break it comes again, whole.
 */
export interface LineSplitter {
  add(chunk: Uint8Array): readonly RawLine[];
  /** What is left, if anything; only after a proper end. */
  finish(): readonly RawLine[];
}

export interface RawLine {
  readonly bytes: Uint8Array;
  /** The line is longer than what is kept of it. */
  readonly truncated: boolean;
}

/** Kept of one line. */
export const lineBytesMax: number = 1024 * 1024;

const lineBreak = 10;

export function splitLines(): LineSplitter {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const keep = (piece: Uint8Array): void => {
    const room = Math.max(0, lineBytesMax - length);
    if (room > 0 && piece.length > 0) pieces.push(piece.slice(0, room));
    length += piece.length;
  };
  const take = (): RawLine => {
    const line = { bytes: joined(pieces), truncated: length > lineBytesMax };
    pieces = [];
    length = 0;
    return line;
  };
  return {
    add: (chunk) => {
      const lines: RawLine[] = [];
      let start = 0;
      for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, start)) {
        keep(chunk.subarray(start, end));
        lines.push(take());
        start = end + 1;
      }
      keep(chunk.subarray(start));
      return lines;
    },
    finish: () => (length === 0 ? [] : [take()]),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = pieces;
  if (pieces.length < 2) return first;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const piece of pieces) {
    whole.set(piece, start);
    start += piece.length;
  }
  return whole;
}
