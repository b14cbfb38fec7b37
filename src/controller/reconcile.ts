/**
 * The types of a reconcile. A reconcile reads the current state of one object, does one thing, and returns. To wait, it
 * stores a time in the status and returns `requeueAfter`; it never sleeps.
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { FencingToken } from './leadership.ts';

/**
 * Reconciles one key; its object may be deleted. Never runs twice at once for the same key. It may run at any time
 * without a change, so it must compare before it acts.
 */
export type Reconcile = (key: string, context: PassContext) => Promise<Outcome>;

export interface PassContext {
  /** The number of the attempt, from 1: the failures in a row before it, plus one. */
  readonly attempt: number;
  /** Aborts at the deadline of the reconcile, when the leadership is lost, or when the controller must stop now. */
  readonly signal: CancelSignal;
  /** null: the controllers run without a Lease, so no other process can act. */
  readonly token: FencingToken | null;
  /** Whether this process may still act; call it right before an effect. `fencedClient` calls it before each write. */
  readonly mayAct: () => boolean;
}

/** The next step for the key. A reconcile that throws counts as `retry`. */
export type Outcome =
  /** Nothing to do until something changes. */
  | { readonly kind: 'done' }
  /** Reconcile again after `ms` milliseconds; `reason` names what the key waits for. */
  | { readonly kind: 'requeueAfter'; readonly ms: number; readonly reason: string }
  /** Reconcile again after a pause that grows with each failure. */
  | { readonly kind: 'retry'; readonly error: unknown }
  /** A retry cannot help. Nothing to do until the object changes. */
  | { readonly kind: 'terminal'; readonly error: unknown };

export const done: Outcome = { kind: 'done' };

export function requeueAfter(ms: number, reason: string): Outcome {
  return { kind: 'requeueAfter', ms, reason };
}

/** Reconciles again at once, to decide the next step from the objects that were just written. */
export const again: Outcome = requeueAfter(0, 'the next step');

export function retry(error: unknown): Outcome {
  return { kind: 'retry', error };
}

export function terminal(error: unknown): Outcome {
  return { kind: 'terminal', error };
}
