import type { CancelSignal } from '../platform/platform.ts';

/**
 * Which term of leadership this is. Of one lease object no two terms have the same number, and later
 * ones have higher numbers; who guards a resource by it refuses what carries a lower one than it has
 * seen. A lease that somebody deletes starts again under another uid.
 */
export interface FencingToken {
  readonly leaseUid: string;
  readonly transitions: number;
}

/** One term, from the acquisition of the lease to its loss. */
export interface Leadership {
  readonly token: FencingToken;
  /** Aborts when the term is over: lost, or not proven any more. */
  readonly signal: CancelSignal;
  /**
   * Whether nobody else can have the lease yet. Asked right before an effect: a process that was
   * stopped for a while runs on before any timer tells it how late it is.
   */
  isProven(): boolean;
  /** Gives the lease away at once. Only when nothing acts under this term any more. */
  release(): Promise<void>;
}
