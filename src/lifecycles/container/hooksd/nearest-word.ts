/** "Did you mean": the known word that fewest single-letter changes make of what was written. */

/** More changes than these, and a word was not mistyped but meant otherwise. */
const CHANGES_MAX = 2;
/** No key that anybody mistyped is longer; the comparison's cost grows with the length. */
const LENGTH_MAX = 40;

export function nearestWord(written: string, known: readonly string[]): string | undefined {
  if (written.length > LENGTH_MAX) return undefined;
  const ranked = known
    .map((word) => ({ word, changes: changesBetween(written, word.toLowerCase()) }))
    .filter(({ changes }) => changes <= CHANGES_MAX)
    .toSorted((left, right) => left.changes - right.changes);
  return ranked[0]?.word;
}

/** Levenshtein's distance. */
function changesBetween(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(left).entries()) {
    const current = [row + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (letter === right[column - 1] ? 0 : 1);
      const added = (current[column - 1] ?? 0) + 1;
      const removed = (above[column] ?? 0) + 1;
      current.push(Math.min(replaced, added, removed));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
