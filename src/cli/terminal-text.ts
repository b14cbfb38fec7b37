/** Formats text for a terminal: tables, and colours by the rules of NO_COLOR and FORCE_COLOR. */
import process from 'node:process';
import { styleText } from 'node:util';

export type Colour = (format: Parameters<typeof styleText>[0], text: string) => string;

interface Target {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** True: colours are on. FORCE_COLOR overrides NO_COLOR, as in Node; its values "0" and "false" turn colours off. */
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

/** Replaces control characters except line feeds and tabs: the output of a hook must not move the terminal's cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\u{FFFD}');
}

/** Rows under a heading, in columns as wide as their longest cell. */
export function textTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint = (text) => text,
): string {
  const all = [heading, ...rows.map((row) => row.map((cell) => printable(cell)))];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  );
  // Pads by the width of the plain text, because escape sequences have no width.
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

/** `row`: index of the row; -1 is the heading. */
export type Paint = (text: string, at: { readonly row: number; readonly column: number }) => string;
