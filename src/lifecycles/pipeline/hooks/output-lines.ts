/** Pieces of output as whole lines: the last one without a line feed is one too, and is never glued to what follows. */
export interface OutputLines {
  push(text: string): void;
  /** Tells what is left. */
  end(): void;
}

/** Lines that are told together. */
export interface LineBlock {
  /** With a line feed between two lines. */
  readonly text: string;
  readonly count: number;
}

/** Of a block. */
export const MAX_BLOCK_LINES = 1_000;

/** A longer line is told in pieces, UTF-16 units. */
export const MAX_LINE_UNITS = 65_536;

/** Worked example: "a\nb", "c\r\n", "d" and the end are the lines a, bc, d. */
export function outputLines(tell: (line: string) => void): OutputLines {
  return outputBlocks(({ text }) => {
    for (const line of text.split('\n')) tell(line);
  });
}

/** The same lines, those of one piece together: a flood is handled as the text that it is. */
export function outputBlocks(tell: (block: LineBlock) => void): OutputLines {
  let held = '';
  return {
    push: (text) => {
      const all = held + text;
      const end = all.lastIndexOf('\n');
      held = all.slice(end + 1);
      if (end !== -1) tellBlocks(withoutReturns(all.slice(0, end)), tell);
      while (held.length > MAX_LINE_UNITS) {
        tell({ text: held.slice(0, MAX_LINE_UNITS), count: 1 });
        held = held.slice(MAX_LINE_UNITS);
      }
    },
    end: () => {
      if (held !== '') tell({ text: withoutReturns(held), count: 1 });
      held = '';
    },
  };
}

function tellBlocks(text: string, tell: (block: LineBlock) => void): void {
  let [from, count] = [0, 1];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (count === MAX_BLOCK_LINES) {
      tell({ text: text.slice(from, at), count });
      [from, count] = [at + 1, 0];
    }
    count += 1;
  }
  tell({ text: text.slice(from), count });
}

/** Those at the ends of lines. */
function withoutReturns(lines: string): string {
  if (!lines.includes('\r')) return lines;
  const inner = lines.replaceAll('\r\n', '\n');
  return inner.endsWith('\r') ? inner.slice(0, -1) : inner;
}
