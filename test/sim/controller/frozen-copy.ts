/**
 * An immutable copy of the current value. It shares parts that are already frozen, and copies all others, so the caller
 * may change the original.
 */
export function frozenCopy<V>(value: V): V;
export function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item as unknown)));
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) {
    const field = copy[name];
    if (typeof field === 'object' && field !== null) copy[name] = frozenCopy(field);
  }
  return Object.freeze(copy);
}
