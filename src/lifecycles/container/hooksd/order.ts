/**
 * The order of injection: file names in lower case, compared by code point, across all directories (man page
 * oci-hooks(5)). JavaScript's own sort compares UTF-16 units, and its `toLowerCase` depends on the context and
 * may lengthen a letter, whereas Go maps each rune to one rune.
 */
export function inInjectionOrder(names: readonly string[]): string[] {
  const keyed = names.map((name) => ({ name, key: lowerCase(name) }));
  // Names that differ only in case have no order upstream; ours is at least stable.
  return keyed
    .toSorted((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.name, b.name))
    .map(({ name }) => name);
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Go's strings.ToLower: the simple mapping of each code point. */
export function lowerCase(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  let lower = '';
  // If a full mapping has several code points, the first is the simple mapping ("İ" is the only one).
  for (const rune of text) lower += String.fromCodePoint(rune.toLowerCase().codePointAt(0) ?? 0);
  return lower;
}

function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left[at] === right[at]) at += 1;
  if (at === shorter) return left.length - right.length;
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** Ranks UTF-16 units by the code points that they start: surrogates start those from U+10000 up. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
