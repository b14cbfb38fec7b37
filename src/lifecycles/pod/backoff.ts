/**
 * The restart back-off of a container. Pure.
 *
 * Worked example, each run shorter than ten minutes: the first restart is immediate, the next ones are 10, 20, 40, 80,
 * 160 and then always 300 seconds after the end of the run before. After a run of ten minutes the back-off starts over.
 */
export const FIRST_BACKOFF_SECONDS = 10;
export const MAX_BACKOFF_SECONDS = 300;

/** Length of a run that counts as a success; the next failure is again a first one. */
export const RESET_AFTER_SECONDS = 600;

/**
 * Seconds between a run and the next restart. `backoffSeconds`: the pause before that run; null: it was the first run;
 * 0: it was the first restart.
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
