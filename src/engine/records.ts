/**
 * Derives the state of a run from its records. The engine derives it again for every decision, so a resumed run and one
 * that was never interrupted behave the same.
 */
import type { AttemptResult, RunOutcome, RunRecord } from '../model/attempt.ts';
import type { Plan } from './plan.ts';

export interface RunState {
  /** The recorded deadline, wall-clock milliseconds; before the first record, that of the plan. null: no deadline. */
  readonly deadlineAtMs: number | null;
  /**
   * Index of the first record at or after the deadline; null: none. Once it is set, the deadline has passed, whatever
   * the clock says.
   */
  readonly deadlineIndex: number | null;
  readonly cancelled: { readonly index: number; readonly reason: string } | null;
  /** The first attempt of a cleanup step, after which no main step may start; null: none. */
  readonly mainOver: { readonly index: number; readonly atMs: number } | null;
  /** Attempts with an intent and no outcome. */
  readonly open: readonly AttemptKey[];
  readonly settled: { readonly outcome: RunOutcome; readonly reason: string } | null;
  readonly step: (name: string) => StepState;
}

export interface AttemptKey {
  readonly step: string;
  readonly attempt: number;
}

export interface StepState {
  /** The highest attempt number; 0: the step was never started. */
  readonly attempts: number;
  /** The last attempt that has ended; null: none has. */
  readonly last: EndedAttempt | null;
  /** Number of attempts that are known to have failed. */
  readonly failures: number;
  /** Number of attempts whose end was not observed. */
  readonly unseen: number;
}

/** An attempt that has ended. `index`: the index of its record, which orders it among other causes. */
export interface EndedAttempt {
  readonly attempt: number;
  readonly atMs: number;
  readonly index: number;
  readonly result: AttemptResult;
}

const neverStarted: StepState = { attempts: 0, last: null, failures: 0, unseen: 0 };

export function readRecords(plan: Plan, recorded: readonly RunRecord[]): RunState {
  const end = recorded.findIndex(({ type }) => type === 'RunSettled');
  const records = end === -1 ? recorded : recorded.slice(0, end + 1);
  const opened = records.find((record) => record.type === 'RunOpened');
  const deadlineAtMs = opened === undefined ? plan.deadlineAtMs : opened.deadlineAtMs;
  const settled = records.find((record) => record.type === 'RunSettled');
  return {
    deadlineAtMs,
    deadlineIndex: indexOrNull(
      records.findIndex(({ atMs }) => deadlineAtMs !== null && atMs >= deadlineAtMs),
    ),
    cancelled: firstCancel(records),
    mainOver: firstCleanup(plan, records),
    ...attemptsIn(records),
    settled: settled === undefined ? null : { outcome: settled.outcome, reason: settled.reason },
  };
}

function firstCancel(records: readonly RunRecord[]): RunState['cancelled'] {
  for (const [index, record] of records.entries()) {
    if (record.type === 'CancelRequested') return { index, reason: record.reason };
  }
  return null;
}

function firstCleanup(plan: Plan, records: readonly RunRecord[]): RunState['mainOver'] {
  const cleanups = new Set(
    plan.steps.filter(({ kind }) => kind === 'cleanup').map(({ name }) => name),
  );
  for (const [index, record] of records.entries()) {
    if (record.type === 'AttemptStarted' && cleanups.has(record.step)) {
      return { index, atMs: record.atMs };
    }
  }
  return null;
}

function attemptsIn(records: readonly RunRecord[]): Pick<RunState, 'open' | 'step'> {
  const steps = new Map<string, StepState>();
  const open = new Map<string, AttemptKey>();
  for (const [index, record] of records.entries()) {
    if (record.type === 'AttemptStarted') {
      const before = steps.get(record.step) ?? neverStarted;
      if (record.attempt <= before.attempts) continue;
      steps.set(record.step, { ...before, attempts: record.attempt });
      open.set(keyOf(record), { step: record.step, attempt: record.attempt });
    }
    // Only an open attempt can end. The first outcome counts; late and repeated ones change nothing.
    if (record.type === 'AttemptSettled' && open.delete(keyOf(record))) {
      const { attempt, atMs, result } = record;
      const before = steps.get(record.step) ?? neverStarted;
      steps.set(record.step, withEnd(before, { attempt, atMs, index, result }));
    }
  }
  return { open: [...open.values()], step: (name) => steps.get(name) ?? neverStarted };
}

/** The number comes first in the key, since a step's name may contain any character. */
function keyOf({ step, attempt }: AttemptKey): string {
  return `${attempt} ${step}`;
}

function withEnd(before: StepState, last: EndedAttempt): StepState {
  const { outcome } = last.result;
  const failed = outcome !== 'Succeeded' && outcome !== 'Unknown';
  return {
    attempts: before.attempts,
    last,
    failures: before.failures + (failed ? 1 : 0),
    unseen: before.unseen + (outcome === 'Unknown' ? 1 : 0),
  };
}

function indexOrNull(index: number): number | null {
  return index === -1 ? null : index;
}
