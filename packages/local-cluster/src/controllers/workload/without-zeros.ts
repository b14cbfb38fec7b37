/** Optional numbers of a status that are nought are left out, as Kubernetes writes them. */
export function withoutZeros<T extends object>(numbers: T): Partial<T> {
  const fields = Object.entries(numbers).filter(([, value]) => value !== 0 && value !== undefined);
  return Object.fromEntries(fields) as Partial<T>;
}
