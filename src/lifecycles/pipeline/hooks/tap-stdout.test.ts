import { describe, expect, it } from 'vitest';

import { MAX_BLOCK_LINES, MAX_LINE_UNITS, outputBlocks, outputLines } from './tap-stdout.ts';

function linesOf(pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const into = outputLines((line) => lines.push(line));
  for (const piece of pieces) into.push(piece);
  into.end();
  return lines;
}

function blocksOf(pieces: readonly string[]): { text: string; count: number }[] {
  const blocks: { text: string; count: number }[] = [];
  const into = outputBlocks((block) => blocks.push(block));
  for (const piece of pieces) into.push(piece);
  into.end();
  return blocks;
}

describe('output as lines', () => {
  it('joins pieces, drops a carriage return at the end of a line, and keeps empty lines', () => {
    expect(linesOf(['a\nb', 'c\r\n', 'd'])).toEqual(['a', 'bc', 'd']);
    expect(linesOf(['a\r', '\n\n\r\n', '\rb\r\r\nc\r'])).toEqual(['a', '', '', '\rb\r', 'c']);
    expect(linesOf(['', '\n'])).toEqual(['']);
    expect(linesOf([])).toEqual([]);
  });

  it('cuts a line that has no end into pieces', () => {
    const text = 'x'.repeat(2 * MAX_LINE_UNITS + 5);
    expect(linesOf([text, '\ny']).map((line) => line.length)).toEqual([
      MAX_LINE_UNITS,
      MAX_LINE_UNITS,
      5,
      1,
    ]);
  });

  it('gives the whole lines of a piece together', () => {
    expect(blocksOf(['a\nb', 'c\r\n\nd\n', 'e'])).toEqual([
      { text: 'a', count: 1 },
      { text: 'bc\n\nd', count: 3 },
      { text: 'e', count: 1 },
    ]);
  });

  it('bounds the lines of a block, and counts each', () => {
    const lines = Array.from({ length: 2 * MAX_BLOCK_LINES + 1 }, (_, number) => String(number));
    const blocks = blocksOf([`${lines.join('\n')}\n`]);
    expect(blocks.map(({ count }) => count)).toEqual([MAX_BLOCK_LINES, MAX_BLOCK_LINES, 1]);
    expect(blocks.flatMap(({ text }) => text.split('\n'))).toEqual(lines);
  });
});
