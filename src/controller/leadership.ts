import type { CancelSignal } from '../platform/platform.ts';

/**
 * The fencing token of a term. All terms of one Lease object have different numbers, and later ones have higher
 * numbers. A guarded resource refuses a lower number than it has seen. A Lease that was deleted starts again with
 * another UID.
 */
export interface FencingToken {
  readonly leaseUid: string;
  readonly transitions: number;
}

/** One term, from the acquisition of the Lease to its loss. */
export interface Leadership {
  readonly token: FencingToken;
  /** Aborts when the term is over: it was lost, or can no longer be proven. */
  readonly signal: CancelSignal;
  /**
   * Whether no other process can have the Lease yet. Call it right before an effect: a suspended process resumes before
   * a timer reports how late it is.
   */
  isProven(): boolean;
  /** Releases the Lease at once. Call it only when nothing acts under this term any more. */
  release(): Promise<void>;
}
