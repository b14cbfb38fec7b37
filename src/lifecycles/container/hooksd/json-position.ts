/** Converts a byte offset into the line and column that an editor shows. */
import type { Position } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

/** Returns a function that locates offsets in this file; the lines are found once, at the first call. */
export function locator(file: string, text: ByteText): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const line = lineOf(starts, offset);
    const before = text.slice(starts[line - 1] ?? 0, offset);
    return { file, line, column: decodeUtf8(before).length + 1 };
  };
}

function lineStarts(text: ByteText): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number, from 1, of the last line that starts at or before `offset`. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
