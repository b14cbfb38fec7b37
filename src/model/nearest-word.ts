/** "Did you mean": the known word with the fewest single-letter changes from the written one. */
export function nearestWord(written: string, known: readonly string[]): string | null {
  if (written.length > lengthMax) return null;
  const ranked = known
    .map((word) => ({ word, changes: changesBetween(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ changes }) => changes <= changesMax)
    .toSorted((a, b) => a.changes - b.changes);
  return ranked[0]?.word ?? null;
}

/** With more changes, a word was not mistyped but another one was intended. */
const changesMax = 2;
/** No known key is longer; the comparison's cost grows with the length. */
const lengthMax = 40;

/** Levenshtein's distance, row by row of its table. */
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
