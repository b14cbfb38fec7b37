import type { CancelSignal } from '../platform/platform.ts';

/**
 * The fencing token of a term. Each term of a Lease object has a number that is higher than that of every earlier term.
 * A guarded resource refuses a number lower than the highest one that it has seen. If the Lease is deleted and created
 * again, its numbers start again, under another UID.
 */
export interface FencingToken {
  readonly leaseUid: string;
  readonly transitions: number;
}

/** One term, from the acquisition of the Lease to its loss. */
export interface Leadership {
  readonly token: FencingToken;
  /** Aborts when the term is over: the Lease is lost, or the process can no longer prove that it has it. */
  readonly signal: CancelSignal;
  /**
   * Whether it is certain that no other process can have the Lease yet. Call it right before an effect: after a
   * suspension, the process may run before the timer that ends its term.
   */
  isProven(): boolean;
  /** Releases the Lease at once. Call it only when nothing acts under this term any more. */
  release(): Promise<void>;
}
