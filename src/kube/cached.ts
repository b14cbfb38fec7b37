import type { Clock } from '../platform/platform.ts';

/**
 * Caches a value up to an age, and computes a new one once for all concurrent callers. A failure is not cached.
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
