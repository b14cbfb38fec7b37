/** A copy of JSON that may be changed; much faster than `structuredClone`, which takes anything. */
export function copyJson<V>(value: V): V {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as V;
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = copyJson(value[name]);
  return copy as V;
}
