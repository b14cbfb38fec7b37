/**
 * Judges the reports of a run besides its outcome: output (ENG-E10), first cause (ENG-E15), listener and warnings
 * (ENG-E17).
 */
import type { RunResult } from '../../../src/engine/run.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import type { Account } from './account.ts';
import { endingOf } from './endings.ts';

/** ENG-E10: no output of an attempt is passed on after its end. */
export function judgeOutput(account: Account, event: Extract<RunEvent, { type: 'Output' }>): void {
  const { world } = account;
  const effect = account.effects.find(({ request: { step, attempt } }) => {
    return step === event.step && attempt === event.attempt;
  });
  const endedMs = effect?.answer?.atMs ?? Infinity;
  if (world.elapsedMs <= endedMs) return;
  world.violate('ENG-E10', `output of attempt ${event.attempt} of ${event.step} after its end`);
}

/** ENG-E17: a listener that has thrown is not called again. */
export function judgeListener(account: Account): void {
  if (!account.listenerBroke) return;
  account.world.violate('ENG-E17', `the listener of ${account.runId} is called after it broke`);
}

/** ENG-E17: the warnings are the ignored failures, and a listener that threw. */
export function judgeWarnings(account: Account, { warnings }: RunResult): void {
  const expected = account.plan.steps
    .filter((step) => {
      const attempts = account.intents(step).length;
      if (step.policy.failurePolicy !== 'Ignore' || attempts === 0) return false;
      const effect = account.effect(step, attempts);
      return effect === undefined || account.known(effect) !== 'Succeeded';
    })
    .map(({ name }) => `the failure of ${name} was ignored`);
  if (account.listenerBroke) expected.push('the listener of the run failed');
  const isSame =
    warnings.length === expected.length &&
    expected.every((text, index) => (warnings[index] ?? '').startsWith(text));
  if (isSame) return;
  const what = `${account.runId} warns of ${JSON.stringify(warnings)}`;
  account.world.violate('ENG-E17', `${what}, and has to of ${JSON.stringify(expected)}`);
}

/** ENG-E15: the outcome is a cancellation or a failure of a main step, whichever was recorded first. */
export function judgeFirstCause(account: Account, { outcome, reason }: RunResult): void {
  if (account.deadlineMs() < Infinity || outcome === 'Unknown') return;
  const bad = account.plan.steps.find((step) => {
    return step.kind === 'main' && endingOf(account, step) === 'bad';
  });
  if (bad === undefined) return;
  const records = account.durable();
  const cancelledAt = records.findIndex(({ type }) => type === 'CancelRequested');
  const attempt = account.intents(bad).length;
  // Only the first recorded end of the last attempt counts. Later ones change nothing (ENG-E10).
  const failedAt = records.findIndex((record) => {
    const isEnd = record.type === 'AttemptSettled' && record.step === bad.name;
    return isEnd && record.attempt === attempt;
  });
  const failed = records[failedAt];
  if (cancelledAt === -1 || failed?.type !== 'AttemptSettled') return;
  const first = cancelledAt < failedAt ? 'Cancelled' : failed.result.outcome;
  if (outcome !== first) {
    const what = `${account.runId} settled ${outcome}`;
    account.world.violate('ENG-E15', `${what}, and was first ${first}: ${reason}`);
  }
}
