import type { Step } from '../../../src/engine/plan.ts';
import type { Account, Known } from './account.ts';

/**
 * State of a step, derived from what happened. `good`: succeeded, or its failure is ignored. `bad`: it ends the run.
 * `again`: it may be retried. `doubtful`: failed with policy Ignore and a deadline, so the next attempt may have no
 * time left.
 */
export type Ending = 'never' | 'open' | 'good' | 'again' | 'doubtful' | 'bad';

export function endingOf(account: Account, step: Step): Ending {
  const last = Math.max(0, ...account.intents(step));
  if (last === 0) return 'never';
  const known = knownOf(account, step, last);
  const lenient = step.policy.failurePolicy === 'Ignore' ? 'good' : 'bad';
  if (known === 'Failed' || known === 'TimedOut') return failureOf(account, step);
  return ({ Open: 'open', Succeeded: 'good', Cancelled: 'bad', Unknown: lenient } as const)[known];
}

function knownOf(account: Account, step: Step, attempt: number): Known {
  const effect = account.effect(step, attempt);
  return effect === undefined ? 'Unknown' : account.known(effect);
}

function failureOf(account: Account, step: Step): Ending {
  const { policy } = step;
  const ignored = policy.failurePolicy === 'Ignore';
  const failures = account.failures(step);
  if (policy.failurePolicy !== 'Retry' && failures > policy.retry.limit)
    return ignored ? 'good' : 'bad';
  return ignored && account.deadlineMs() < Infinity ? 'doubtful' : 'again';
}

/** True if the events so far allow the main steps to be over. */
export function mainStepsOver(account: Account): boolean {
  const mains = account.plan.steps.filter(({ kind }) => kind === 'main');
  const endings = mains.map((step) => endingOf(account, step));
  const at = endings.find((ending) => ending !== 'good' && ending !== 'doubtful');
  if (at === undefined || at === 'bad') return true;
  if (at === 'open') return false;
  // The deadline may leave no time for another attempt.
  if (at === 'again' && account.deadlineMs() < Infinity) return true;
  return account.cancelEver || account.everLate();
}

/** Copied from the engine on purpose, so that a wrong number there is found. */
export const UNSEEN_CLEANUPS = 10;

/** True if this cleanup step needs no further attempt. */
export function cleanupDone(account: Account, step: Step): boolean {
  if (step.kind === 'cleanup' && step.undoes !== undefined && !wasIssued(account, step.undoes)) {
    return true;
  }
  const last = Math.max(0, ...account.intents(step));
  const effect = account.effect(step, last);
  if (effect !== undefined && account.known(effect) === 'Succeeded') return true;
  if (account.unseen(step) > UNSEEN_CLEANUPS) return true;
  const limited = step.policy.failurePolicy !== 'Retry' || account.everLate();
  return limited && account.failures(step) > step.policy.retry.limit;
}

export function wasIssued(account: Account, name: string): boolean {
  const step = account.plan.steps.find((other) => other.name === name);
  return step !== undefined && account.intents(step).length > 0;
}
