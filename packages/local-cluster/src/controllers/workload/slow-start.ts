import { type Outcome, retry, terminal } from '../../../../../src/controller/reconcile.ts';
import type { Backoff } from '../../../../../src/kube/backoff.ts';

/**
 * Many requests of one sort, in batches that double while all goes well: 10 creations go as 1, 2, 4, 3.
 * Where the first fails (a quota, an admission that says no), nine useless ones are never sent.
 */
export interface SlowStart {
  readonly done: number;
  /** The first failure; null: none. */
  readonly failure: { readonly error: unknown } | null;
}

/** At most so many of a kind in one pass. */
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

/** All at once; every one is tried. */
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

/** How the workload controllers try again: soon at first, since most failures are writes that were overtaken. */

/** Try 1 waits 5 ms at most, try 11 5 s, try 15 82 s. */
export const WORKLOAD_BACKOFF: Backoff = { firstMs: 5, maxMs: 1_000_000 };

/** Then a deployment's key is dropped until something changes: all of its tries together take under 3 minutes. */
const MAX_RETRIES = 15;

/** `attempt` counts from 1: the first try and fifteen more. */
export function retryBounded(error: unknown, attempt: number): Outcome {
  return attempt <= MAX_RETRIES ? retry(error) : terminal(error);
}
