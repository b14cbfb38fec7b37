/**
 * When a container that ended is started again. Pure.
 *
 * Worked example, each run shorter than ten minutes: the first restart comes at once, the next ones 10,
 * 20, 40, 80, 160 and then always 300 seconds after the end before. A run of ten minutes begins anew.
 */
export const FIRST_BACKOFF_SECONDS = 10;
export const MAX_BACKOFF_SECONDS = 300;

/** A run this long counts as a success: the next failure is a first one. */
export const RESET_AFTER_SECONDS = 600;

/**
 * The pause before the restart after a run, from the pause before that run: null, it was the first run;
 * 0, it was the first restart.
 */
export function nextBackoffSeconds(before: {
  readonly backoffSeconds: number | null;
  readonly ranMs: number;
}): number {
  const { backoffSeconds, ranMs } = before;
  if (backoffSeconds === null || ranMs >= RESET_AFTER_SECONDS * 1_000) return 0;
  if (backoffSeconds === 0) return FIRST_BACKOFF_SECONDS;
  return Math.min(backoffSeconds * 2, MAX_BACKOFF_SECONDS);
}
