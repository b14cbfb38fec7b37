/**
 * Selects the attempts of an action that a status keeps, and their outputs. Pure.
 *
 * It keeps the first and the last started attempt: one of them shows why the action failed. Of the others it keeps the
 * newest, and counts the rest.
 */
import type { ActionAttempt, ActionStatus } from '../kinds.ts';
import { attemptsOf } from './attempts.ts';
import { isOpen } from './targets.ts';

export const MAX_ATTEMPTS_KEPT = 5;

/**
 * The number of an attempt, from 1: its field `number`, which is set if a later attempt was dropped, else its position.
 */
export function attemptNumber(
  { attempts, earlierAttempts = 0 }: ActionStatus,
  index: number,
): number {
  return attempts?.[index]?.number ?? earlierAttempts + index + 1;
}

/** The status with at most `MAX_ATTEMPTS_KEPT` attempts. */
export function keepAttempts(status: ActionStatus): ActionStatus {
  const { attempts = [], earlierAttempts = 0 } = status;
  if (attempts.length <= MAX_ATTEMPTS_KEPT) return status;
  const dropped = leastInformative(attempts);
  const kept = attempts.flatMap((attempt, index): ActionAttempt[] => {
    if (index === dropped) return [];
    return [index < dropped ? { ...attempt, number: attemptNumber(status, index) } : attempt];
  });
  return keepAttempts({ ...status, attempts: kept, earlierAttempts: earlierAttempts + 1 });
}

/** Keeps the outputs of the first and the last started attempt only: the size of an object in the API is limited. */
export function keepOutputs(attempts: readonly ActionAttempt[]): ActionAttempt[] {
  const informative = [attempts.findIndex(wasStarted), attempts.findLastIndex(wasStarted)];
  return attempts.map((attempt, index) => {
    if (informative.includes(index) || attempt.output === undefined) return attempt;
    const { output: _, ...rest } = attempt;
    return rest;
  });
}

function leastInformative(attempts: readonly ActionAttempt[]): number {
  const first = attempts.findIndex(wasStarted);
  const last = attempts.findLastIndex(wasStarted);
  return attempts.findIndex((_, index) => index !== first && index !== last);
}

/** Whether the attempt has ended, and may have done something. */
function wasStarted({ outcome, notStarted }: ActionAttempt): boolean {
  return outcome !== undefined && notStarted === undefined;
}

/** Whether it is certain that no attempt was started: then there is nothing to undo. */
export function isUnstarted(status: ActionStatus | undefined): boolean {
  const { unstartedAttempts = 0 } = status ?? {};
  return unstartedAttempts > 0 && unstartedAttempts === attemptsOf(status) && !isOpen(status);
}

/** Whether the server refused the last attempt with a final answer, so that it would refuse another one too. */
export function isDenied(status: ActionStatus | undefined): boolean {
  return status?.attempts?.at(-1)?.notStarted === 'Denied';
}
