/**
 * The types of a reconcile. A reconcile reads the current state of one object, does one thing, and returns. To wait, it
 * stores a time in the status and returns `requeueAfter`; it never sleeps.
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { FencingToken } from './leadership.ts';

/**
 * Called with one key, never twice at once for the same key; the object may be deleted. It may be called at any time
 * without a change, so it must compare before it acts.
 */
export type Reconcile = (key: string, context: PassContext) => Promise<Outcome>;

export interface PassContext {
  /** The number of the attempt, from 1: one more than the failures in a row before it. */
  readonly attempt: number;
  /** Aborts at the deadline of the reconcile, when the leadership is lost, or when the controller must stop now. */
  readonly signal: CancelSignal;
  /** null: there is no lease, and so no other process. */
  readonly token: FencingToken | null;
  /** Whether this process may still act; call it right before an effect. `fencedClient` calls it before each write. */
  readonly mayAct: () => boolean;
}

/** The next step for the key. A reconcile that throws counts as `retry`. */
export type Outcome =
  /** Nothing until something changes. */
  | { readonly kind: 'done' }
  /** Reconcile again after `ms`; the reason says what it waits for. */
  | { readonly kind: 'requeueAfter'; readonly ms: number; readonly reason: string }
  /** Reconcile again after a pause that grows with each failure. */
  | { readonly kind: 'retry'; readonly error: unknown }
  /** A retry cannot help: nothing until the object changes. */
  | { readonly kind: 'terminal'; readonly error: unknown };

export const done: Outcome = { kind: 'done' };

export function requeueAfter(ms: number, reason: string): Outcome {
  return { kind: 'requeueAfter', ms, reason };
}

/** Decides the next step at once, from the written objects. */
export const again: Outcome = requeueAfter(0, 'the next step');

export function retry(error: unknown): Outcome {
  return { kind: 'retry', error };
}

export function terminal(error: unknown): Outcome {
  return { kind: 'terminal', error };
}
