/**
 * The order of injection: file names in lower case, compared by code point, across all folders (man page
 * oci-hooks(5)). JavaScript's own sort compares UTF-16 units, and its `toLowerCase` sees whole words and
 * may lengthen a letter, where Go maps one rune at a time to one rune.
 */
export function compareNames(left: string, right: string): number {
  // Names that differ only in case have no order upstream; ours is at least always the same.
  return compareCodePoints(lowerCase(left), lowerCase(right)) || compareCodePoints(left, right);
}

/** Go's strings.ToLower: the simple mapping of each code point by itself. */
export function lowerCase(text: string): string {
  let lower = '';
  // The first code point of a full mapping that has several is the simple mapping ("İ" is the only one).
  for (const rune of text) lower += String.fromCodePoint(rune.toLowerCase().codePointAt(0) ?? 0);
  return lower;
}

function compareCodePoints(left: string, right: string): number {
  const rights = right[Symbol.iterator]();
  for (const rune of left) {
    const other = rights.next();
    if (other.done === true) return 1;
    const difference = (rune.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return rights.next().done === true ? 0 : -1;
}
