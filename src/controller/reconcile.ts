/**
 * The words of a controller's pass. One pass looks at one object's present state, does one thing, and
 * returns; waiting is a time in the status and `requeueAfter`, never a sleep in the pass.
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { FencingToken } from './leadership.ts';

/**
 * Called with one key at a time, never twice at once for the same one; the object may be gone. It may be
 * called again at any time without anything having changed, so it has to compare before it acts.
 */
export type Reconcile = (key: string, context: PassContext) => Promise<Outcome>;

export interface PassContext {
  /** From 1; counts the failures in a row before this pass. */
  readonly attempt: number;
  /** Aborts at the pass's deadline, when the leadership is lost, and when the controller is stopped hard. */
  readonly signal: CancelSignal;
  /** null: there is no lease, and so nobody else. */
  readonly token: FencingToken | null;
  /** Whether this process may still act, asked right before an effect; `fencedClient` asks it for each write. */
  readonly mayAct: () => boolean;
}

/** What comes next for the key. A pass that throws has asked for `retry`. */
export type Outcome =
  /** Nothing until something changes. */
  | { readonly kind: 'done' }
  /** Once more at that time; the reason says what it waits for. */
  | { readonly kind: 'requeueAfter'; readonly ms: number; readonly reason: string }
  /** Again after a pause that grows. */
  | { readonly kind: 'retry'; readonly error: unknown }
  /** Trying again cannot help: nothing until the object changes. */
  | { readonly kind: 'terminal'; readonly error: unknown };

export const done: Outcome = { kind: 'done' };

export function requeueAfter(ms: number, reason: string): Outcome {
  return { kind: 'requeueAfter', ms, reason };
}

export function retry(error: unknown): Outcome {
  return { kind: 'retry', error };
}

export function terminal(error: unknown): Outcome {
  return { kind: 'terminal', error };
}
