import type { Clock } from '../platform/platform.ts';

/**
 * A value that is made anew when it is older than that, once for all who ask meanwhile. A failure is
 * not kept.
 */
export function cached<T>(
  clock: Clock,
  maxAgeMs: number,
  make: () => Promise<T>,
): () => Promise<T> {
  let current: { readonly atMs: number; readonly value: Promise<T> } | null = null;
  return () => {
    const nowMs = clock.monotonicMs();
    if (current !== null && nowMs - current.atMs < maxAgeMs) return current.value;
    const made = { atMs: nowMs, value: make() };
    current = made;
    made.value.catch(() => {
      if (current === made) current = null;
    });
    return made.value;
  };
}
