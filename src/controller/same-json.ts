/**
 * Whether two values are equal as JSON: the order of fields does not matter, and an undefined field equals an absent
 * one. For our own values, whose depth is limited.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return sameList(a, b);
  return sameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function sameList(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((value, index) => sameJson(value, b[index]));
}

function sameFields(a: Fields, b: Fields): boolean {
  let more = 0;
  for (const name of Object.keys(a)) {
    if (a[name] === undefined) continue;
    if (!Object.hasOwn(b, name) || !sameJson(a[name], b[name])) return false;
    more -= 1;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined) more += 1;
  return more === 0;
}
