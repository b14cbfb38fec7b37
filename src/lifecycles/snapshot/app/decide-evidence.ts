/** Stores the evidence of hooks before they may be deleted. Pure. */
import type { SnapshotFacts } from './facts.ts';
import type { Step } from './step.ts';
import type { ExecutionHook } from '../kinds.ts';
import { EVIDENCE_FINALIZER } from '../names.ts';
import { isSettled } from './thaw-order.ts';

/** null: there is no evidence to store now, and no hook to release. */
export function decideEvidence({ hooks, snapshot }: SnapshotFacts): Step | null {
  const kept = new Set((snapshot.status?.hooks ?? []).map(({ name }) => name));
  const names = hooks
    .filter(({ name, hook }) => !kept.has(name) && (hook === null || isSettled(hook)))
    .map(({ name }) => name);
  if (names.length > 0) return { kind: 'keepEvidence', names };
  const held = hooks.find(({ name, hook }) => kept.has(name) && isOurs(hook));
  if (held?.hook === undefined || held.hook === null) return null;
  return { kind: 'finishHook', hook: held.hook, delete: isClean(held.hook) };
}

function isOurs(hook: ExecutionHook | null): boolean {
  return hook?.metadata?.finalizers?.includes(EVIDENCE_FINALIZER) === true;
}

/** SNAP-R20: a hook whose preAction or postAction has failed stays, for a user to inspect. */
function isClean({ status = {} }: ExecutionHook): boolean {
  return status.preActionSucceed === true && status.postActionSucceed === true;
}
