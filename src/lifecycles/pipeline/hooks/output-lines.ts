/** Pieces of output as whole lines: the last one without a line feed is one too, and is never glued to what follows. */
export interface OutputLines {
  push(text: string): void;
  /** Tells what is left. */
  end(): void;
}

/** A longer line is told in pieces, UTF-16 units. */
export const MAX_LINE_UNITS = 65_536;

/** Worked example: "a\nb", "c\r\n", "d" and the end are the lines a, bc, d. */
export function outputLines(tell: (line: string) => void): OutputLines {
  let held = '';
  return {
    push: (text) => {
      const lines = `${held}${text}`.split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) tell(withoutReturn(line));
      while (held.length > MAX_LINE_UNITS) {
        tell(held.slice(0, MAX_LINE_UNITS));
        held = held.slice(MAX_LINE_UNITS);
      }
    },
    end: () => {
      if (held !== '') tell(withoutReturn(held));
      held = '';
    },
  };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
