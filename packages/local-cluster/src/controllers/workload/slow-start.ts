import { type Outcome, retry, terminal } from '../../../../../src/controller/reconcile.ts';
import type { Backoff } from '../../../../../src/platform/sleep.ts';

/**
 * Many requests of one kind, in batches that double after each success: 10 creations are sent as 1, 2, 4, 3.
 * If the first one fails (a quota, an admission webhook), the other nine are never sent.
 */
export interface SlowStart {
  readonly done: number;
  /** The first failure; null: none. */
  readonly failure: { readonly error: unknown } | null;
}

/** At most this many requests of a kind in one reconcile. */
export const BURST = 500;

export async function slowStart(
  count: number,
  request: (index: number) => Promise<void>,
): Promise<SlowStart> {
  let done = 0;
  for (let started = 0, batch = 1; started < count; started += batch, batch *= 2) {
    const size = Math.min(batch, count - started);
    const answers = await Promise.allSettled(
      Array.from({ length: size }, (_, offset) => request(started + offset)),
    );
    done += answers.filter(({ status }) => status === 'fulfilled').length;
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined) return { done, failure: { error: failed.reason } };
  }
  return { done, failure: null };
}

/** Sends all at once; each one is tried. */
export async function allAtOnce<T>(
  items: readonly T[],
  request: (item: T) => Promise<void>,
): Promise<SlowStart> {
  const answers = await Promise.allSettled(items.map((item) => request(item)));
  const failed = answers.find((answer) => answer.status === 'rejected');
  return {
    done: answers.filter(({ status }) => status === 'fulfilled').length,
    failure: failed === undefined ? null : { error: failed.reason },
  };
}

/** How the workload controllers retry: soon at first, since most failures are write conflicts. */

/** Attempt 1 waits at most 5 ms, attempt 11 5 s, attempt 15 82 s. */
export const WORKLOAD_BACKOFF: Backoff = { firstMs: 5, maxMs: 1_000_000 };

/** Afterwards the key of a deployment is dropped until something changes: all attempts together take under 3 minutes. */
const MAX_RETRIES = 15;

/** `attempt` counts from 1: the first attempt and fifteen retries. */
export function retryBounded(error: unknown, attempt: number): Outcome {
  return attempt <= MAX_RETRIES ? retry(error) : terminal(error);
}
