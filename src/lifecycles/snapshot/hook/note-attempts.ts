/** Keeps the attempts that are in memory consistent with the recorded status of their hook. */
import type { ContainerStatus, ExecutionHook } from '../kinds.ts';
import { attemptId, type AttemptNumber } from './attempts.ts';
import type { HookDecision } from './decide.ts';
import { openAttempt } from './gather.ts';
import type { HookState } from './hook-state.ts';
import { targetsOf, uidOf } from './targets.ts';

/** Call before the write of the status: cancels attempts, and marks the attempts that are to start. */
export function noteAttempts(
  shared: HookState,
  uid: string,
  { calledOff, orders }: HookDecision,
): void {
  for (const target of calledOff) callOff(shared, uid, target);
  for (const order of orders) shared.attempts.intend(attemptId(uid, order.target, order));
}

function callOff(shared: HookState, uid: string, target: ContainerStatus): void {
  const open = openAttempt(target);
  if (open !== null) shared.attempts.callOff(attemptId(uid, target, open));
}

/** Forgets the attempts whose outcome is in the status now. `KeptStatuses` has a status that the server refuses. */
export function takeOver(shared: HookState, hook: ExecutionHook, { status }: HookDecision): void {
  const after = targetsOf({ ...hook, status });
  for (const [index, target] of targetsOf(hook).entries()) {
    const open = openAttempt(target);
    const now = after[index];
    if (open === null || now === undefined || sameAttempt(open, openAttempt(now))) continue;
    shared.attempts.settle(attemptId(uidOf(hook), target, open));
  }
}

function sameAttempt(a: AttemptNumber, b: AttemptNumber | null): boolean {
  return a.action === b?.action && a.attempt === b.attempt;
}
