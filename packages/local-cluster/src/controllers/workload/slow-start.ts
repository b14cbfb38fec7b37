import { type Outcome, retry, terminal } from '../../../../../src/controller/reconcile.ts';
import type { Backoff } from '../../../../../src/platform/sleep.ts';

/**
 * Result of many equal requests. They are sent in batches that double after each success: 10 creations as 1, 2, 4 and
 * 3. If the first request fails (a quota, an admission webhook), the other nine are never sent.
 */
export interface SlowStart {
  readonly done: number;
  /** First failure; null if there was none. */
  readonly failure: { readonly error: unknown } | null;
}

/** Maximum number of requests of a kind in one reconcile. */
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

/** Sends all requests at once, and waits for all of them even if one fails. */
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

/**
 * Back-off of the workload controllers. It starts short, because most failures are write conflicts: at most 5 ms before
 * the first retry, 5 s before the 11th, 82 s before the 15th.
 */
export const WORKLOAD_BACKOFF: Backoff = { firstMs: 5, maxMs: 1_000_000 };

/**
 * Retries of a deployment, which take under 3 minutes together. Afterwards it is reconciled only if something changes.
 */
const MAX_RETRIES = 15;

/** Retries up to MAX_RETRIES times. `attempt` is 1 for the first attempt. */
export function retryBounded(error: unknown, attempt: number): Outcome {
  return attempt <= MAX_RETRIES ? retry(error) : terminal(error);
}
