/**
 * Delta debugging: finds a subset of the items that still fails, and from which no single item can be removed. The
 * items keep their order.
 */
export async function ddmin<T>(
  items: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let rest = items;
  let size = Math.ceil(rest.length / 2);
  while (size >= 1) {
    const smaller = await withoutOne(rest, size, fails);
    if (smaller !== null) {
      rest = smaller;
      size = Math.min(size, Math.ceil(rest.length / 2));
    } else if (size === 1) break;
    else size = Math.ceil(size / 2);
  }
  return rest;
}

/** Removes one piece of this size so that the rest still fails; null if no piece can be removed. */
async function withoutOne<T>(
  items: readonly T[],
  size: number,
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | null> {
  // The last faults matter most, so earlier ones are removed first.
  for (let from = 0; from < items.length; from += size) {
    const part = [...items.slice(0, from), ...items.slice(from + size)];
    if (await fails(part)) return part;
  }
  return null;
}
