/** How the workload controllers try again: soon at first, since most failures are writes that were overtaken. */
import { type Outcome, retry, terminal } from '../../../../../src/controller/reconcile.ts';
import type { Backoff } from '../../../../../src/kube/backoff.ts';

/** Try 1 waits 5 ms at most, try 11 5 s, try 15 82 s. */
export const WORKLOAD_BACKOFF: Backoff = { firstMs: 5, maxMs: 1_000_000 };

/** Then a deployment's key is dropped until something changes: all of its tries together take under 3 minutes. */
const MAX_RETRIES = 15;

/** `attempt` counts from 1: the first try and fifteen more. */
export function retryBounded(error: unknown, attempt: number): Outcome {
  return attempt <= MAX_RETRIES ? retry(error) : terminal(error);
}
