/** The known word with the fewest single-letter changes from the written one, for "Did you mean". */
export function nearestWord(written: string, known: readonly string[]): string | null {
  if (written.length > lengthMax) return null;
  const ranked = known
    .map((word) => ({ word, changes: changesBetween(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ changes }) => changes <= changesMax)
    .toSorted((a, b) => a.changes - b.changes);
  return ranked[0]?.word ?? null;
}

/** A word with more changes is not a typing error: another word was intended. */
const changesMax = 2;
/** A longer text is not compared, since the cost of a comparison grows with the length. */
const lengthMax = 40;

/** The Levenshtein distance, computed row by row. */
function changesBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const added = (current[column - 1] ?? 0) + 1;
      const removed = (above[column] ?? 0) + 1;
      current.push(Math.min(replaced, added, removed));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
