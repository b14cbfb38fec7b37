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
