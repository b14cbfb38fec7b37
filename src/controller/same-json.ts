/**
 * Whether two values are the same JSON: the order of fields does not count, and a field that is
 * undefined is one that is absent. For our own values, whose depth is known.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return sameList(a, b);
  const left = definedFields(a);
  const right = definedFields(b);
  return (
    left.size === right.size && [...left].every(([name, value]) => sameField(right, name, value))
  );
}

function sameList(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((value, index) => sameJson(value, b[index]));
}

function sameField(fields: ReadonlyMap<string, unknown>, name: string, value: unknown): boolean {
  return fields.has(name) && sameJson(fields.get(name), value);
}

function definedFields(value: object): ReadonlyMap<string, unknown> {
  const entries: [string, unknown][] = Object.entries(value);
  return new Map(entries.filter(([, field]) => field !== undefined));
}
