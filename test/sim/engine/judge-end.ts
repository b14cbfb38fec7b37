/** Judges a run when it reports that it has settled, and when a process takes over from an ended one. */
import type { RunResult, StepResult } from '../../../src/engine/run.ts';
import type { Step } from '../../../src/engine/plan.ts';
import type { RunRecord } from '../../../src/model/attempt.ts';
import type { FileLedger } from '../../../src/store/file-ledger.ts';
import type { Account } from './account.ts';
import { cleanupDone, endingOf, mainStepsOver } from './endings.ts';
import { judgeFirstCause, judgeWarnings } from './judge-reports.ts';

export function judgeEnd(account: Account, result: RunResult): void {
  judgeSettledOnce(account, result);
  if (!mainStepsOver(account)) {
    account.world.violate('ENG-E4', `${account.runId} settled with main steps left to do`);
  }
  for (const step of account.plan.steps) {
    if (step.kind === 'cleanup' && !cleanupDone(account, step)) {
      account.world.violate('ENG-E8', `${account.runId} settled and still owes ${step.name}`);
    }
  }
  judgeOutcome(account, result);
  judgeFirstCause(account, result);
  judgeWarnings(account, result);
  for (const [index, step] of account.plan.steps.entries()) {
    judgeStepResult(account, step, result.steps[index]);
  }
}

/** ENG-E11: the run settles once, and its settlement is durable before it is reported. */
function judgeSettledOnce(account: Account, { outcome, reason }: RunResult): void {
  const recorded = account.durable().find((record) => record.type === 'RunSettled');
  if (recorded === undefined) {
    account.world.violate(
      'ENG-E11',
      `${account.runId} reported that it has settled before it was durable`,
    );
  }
  const before = account.settled ?? recorded;
  if (before !== undefined && (before.outcome !== outcome || before.reason !== reason)) {
    account.world.violate('ENG-E11', `${account.runId} settled ${before.outcome}, then ${outcome}`);
  }
  account.settled = { outcome, reason };
}

/** ENG-E5 and ENG-E15: the outcome of the run fits the ends of its steps. */
function judgeOutcome(account: Account, { outcome }: RunResult): void {
  const { world, runId } = account;
  const bad = account.plan.steps.filter((step) => isBad(account, step));
  const unseenMain = bad.some(
    (step) => step.kind === 'main' && lastKnown(account, step) === 'Unknown',
  );
  if (outcome === 'Succeeded' && bad.length > 0) {
    world.violate(
      'ENG-E5',
      `${runId} succeeded, and ${bad.map(({ name }) => name).join(', ')} did not`,
    );
  }
  if (unseenMain && outcome !== 'Unknown') {
    world.violate('ENG-E5', `${runId} settled ${outcome}, and the end of a main step was not seen`);
  }
  if (outcome === 'Unknown' && bad.every((step) => wasSeen.has(lastKnown(account, step)))) {
    world.violate('ENG-E15', `${runId} settled Unknown, and every end was seen`);
  }
  if (outcome === 'Cancelled' && !account.cancelEver) {
    world.violate('ENG-E15', `${runId} settled Cancelled without a cancellation`);
  }
}

/** An intent whose effect never began is not in this set: the engine has not seen its end either. */
const wasSeen: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'TimedOut', 'Cancelled']);

/** True if the end of the step prevents the success of the run. */
function isBad(account: Account, step: Step): boolean {
  const ending = endingOf(account, step);
  if (step.policy.failurePolicy === 'Ignore') return step.kind === 'main' && ending === 'never';
  if (step.kind === 'main') return ending !== 'good';
  const last = account.intents(step).length;
  return last > 0 && lastKnown(account, step) !== 'Succeeded';
}

function lastKnown(account: Account, step: Step): string {
  const effect = account.effect(step, account.intents(step).length);
  return effect === undefined ? 'Unmade' : account.known(effect);
}

/** ENG-E3 and ENG-E10: the reported number of attempts and the reported outcome of a step are true. */
function judgeStepResult(account: Account, step: Step, reported: StepResult | undefined): void {
  const attempts = account.intents(step).length;
  if (reported === undefined || reported.attempts !== attempts) {
    account.world.violate(
      'ENG-E3',
      `${step.name} is reported to have had ${reported?.attempts} of ${attempts}`,
    );
    return;
  }
  const effect = account.effect(step, attempts);
  if (effect === undefined) return;
  const known = account.known(effect);
  if (reported.result?.outcome !== known) {
    account.world.violate(
      'ENG-E10',
      `${step.name} ended ${known}, reported as ${reported.result?.outcome}`,
    );
  }
}

/** ENG-J1: when a record is reported to the listener, it and all earlier records are durable. */
export function judgeAcknowledged(account: Account, record: RunRecord): void {
  account.acknowledged.push(record);
  const durable = account.durable();
  const last = JSON.stringify(durable.at(-1));
  const text = JSON.stringify(record);
  if (last !== text) {
    account.world.violate(
      'ENG-J1',
      `${account.runId} was sent the report ${text}, and durable is only ${last}`,
    );
  }
  const [reported, kept] = [account.acknowledged.length, durable.length];
  if (kept < reported)
    account.world.violate('ENG-J1', `${account.runId} has kept ${kept} of ${reported}`);
}

/** Texts of records, for a comparison; of a settled run without the output. */
function textsOf(records: readonly RunRecord[], isSettled: boolean): string[] {
  const isKept = (key: string): boolean => key !== 'text' || !isSettled;
  return records.map((record) =>
    JSON.stringify(record, (key, value: unknown) => (isKept(key) ? value : '')),
  );
}

/**
 * ENG-J1: acknowledged records are still in the journal, in order. Only a settled run may lose its output, or be
 * dropped as a whole.
 */
export function judgeSurvival(account: Account, ledger: FileLedger): void {
  const recorded = account.visible();
  const settled = recorded.find((record) => record.type === 'RunSettled');
  const isSettled = settled !== undefined;
  const found = textsOf(recorded, isSettled);
  account.settled ??= settled ?? (found.length === 0 ? account.settledBefore : null);
  if (account.settled !== null && found.length === 0) return;
  let from = 0;
  for (const record of textsOf(account.acknowledged, isSettled)) {
    const at = found.indexOf(record, from);
    if (at === -1) {
      account.world.violate('ENG-J1', `${account.runId} has lost ${record}`);
      return;
    }
    from = at + 1;
  }
  const resumable = ledger.unsettled().some(({ runId }) => runId === account.runId);
  if (resumable !== (found.length > 0 && !isSettled)) {
    account.world.violate('ENG-J1', `${account.runId} is not reported as unsettled`);
  }
}
