/** Text for a terminal: coloured, unless NO_COLOR or FORCE_COLOR says otherwise, and in tables. */
import process from 'node:process';
import { styleText } from 'node:util';

export type Colour = (format: Parameters<typeof styleText>[0], text: string) => string;

interface Target {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** FORCE_COLOR is stronger than NO_COLOR, as it is for Node itself; its "0" and "false" say no. */
export function isColoured({ isTTY = false }: Target, env: Environment): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return isTTY && env['TERM'] !== 'dumb';
}

export function colourOf(target: Target, env: Environment = process.env): Colour {
  if (!isColoured(target, env)) return (_format, text) => text;
  return (format, text) => styleText(format, text, { validateStream: false });
}

/** Rows under a heading, in columns as wide as what stands in them. */
export function textTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint = (text) => text,
): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  );
  // What is painted is longer than it is wide.
  const line = (cells: readonly string[], row: number): string => {
    const last = cells.findLastIndex((cell) => cell !== '');
    return cells
      .slice(0, last + 1)
      .map((cell, column) => {
        const gap = column === last ? '' : ' '.repeat((widths[column] ?? 0) - cell.length);
        return `${paint(cell, { row, column })}${gap}`;
      })
      .join('   ');
  };
  return `${all.map((cells, index) => line(cells, index - 1)).join('\n')}\n`;
}

/** `row`: of the rows; -1 is the heading. */
export type Paint = (text: string, at: { readonly row: number; readonly column: number }) => string;
