/** Work on many things, some of it at once: what waits for the disk does not wait in line. */

/** Files that are looked at or read at once; the machine itself reads four. */
export const FILES_AT_ONCE = 16;

/** In the order of `items`. Rejects with the first that does; what runs then ends by itself. */
export async function mapAtOnce<T, U>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  results.length = items.length;
  const left = items.entries();
  const workNext = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workNext));
  return results;
}
