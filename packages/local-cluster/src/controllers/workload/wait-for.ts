import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';

/** Requeues at the earliest of the pending times; a time that is null is not pending. */
export function waitFor(
  waits: readonly { readonly ms: number | null; readonly reason: string }[],
): Outcome {
  const due = waits.flatMap(({ ms, reason }) =>
    ms === null ? [] : [{ ms: Math.max(ms, 1), reason }],
  );
  const [next] = due.toSorted((a, b) => a.ms - b.ms);
  return next === undefined ? done : requeueAfter(next.ms, next.reason);
}
