/**
 * Converts a HookRun to a plan and records of the engine, which decides about further attempts and the outcome of the
 * run (ROLL-DH14, ROLL-DH15, ROLL-DH16). The status keeps only the last attempts. Earlier ones count as failed, since
 * another attempt followed each of them.
 */
import { bareResult } from '../../../engine/act.ts';
import { makePlan, type Plan } from '../../../engine/plan.ts';
import { type Decision, step } from '../../../engine/step.ts';
import type { AttemptResult, Outcome, RunRecord } from '../../../model/attempt.ts';
import type { HookAttempt, HookRun } from '../kinds.ts';
import { RETRY_BACKOFF_SECONDS, RETRY_MAX_BACKOFF_SECONDS } from '../names.ts';
import type { StageAbort } from './stage.ts';

/** Number of failures that give the longest pause; more of them would change nothing. */
const LOST_ATTEMPTS_MAX = 10;

export interface RunFacts {
  readonly run: HookRun;
  readonly nowMs: number;
  readonly abort: StageAbort | null;
}

/** The engine's decision on a run whose last attempt has ended. */
export function judgeRun(facts: RunFacts): Decision {
  return step({ plan: planOf(facts), records: recordsOf(facts), nowMs: facts.nowMs });
}

/** Wall clock, milliseconds; the deadline of the stage. */
export function deadlineAtMs({ run, nowMs }: Pick<RunFacts, 'run' | 'nowMs'>): number {
  const { startedAt } = run.status ?? {};
  const startedMs = startedAt === undefined ? nowMs : timeMs(startedAt);
  return startedMs + run.spec.deadlineSeconds * 1_000;
}

export function timeMs(text: string): number {
  return Date.parse(text);
}

function planOf(facts: RunFacts): Plan {
  const { run } = facts;
  const { metadata, spec } = run;
  const { failurePolicy = 'Retry', timeoutSeconds = null } = spec.hook;
  const { stage } = spec;
  return makePlan({
    runId: runIdOf(run),
    title: `${stage} of rollout ${spec.rollout} of ${spec.deploymentName}`,
    deadlineAtMs: deadlineAtMs(facts),
    steps: [
      {
        kind: 'main',
        name: stage,
        source: { kind: 'object', object: metadata?.name ?? '' },
        policy: {
          timeoutSeconds,
          failurePolicy,
          retry: {
            limit: 0,
            backoffSeconds: RETRY_BACKOFF_SECONDS,
            maxBackoffSeconds: RETRY_MAX_BACKOFF_SECONDS,
          },
        },
      },
    ],
  });
}

export function recordsOf(facts: RunFacts): RunRecord[] {
  const { run, nowMs, abort } = facts;
  const runId = runIdOf(run);
  const { status } = run;
  const records: RunRecord[] = [];
  if (status !== undefined) {
    const opened = { runId, atMs: timeMs(status.startedAt), title: '', steps: [] };
    records.push({ type: 'RunOpened', ...opened, deadlineAtMs: deadlineAtMs(facts) });
    for (const attempt of allAttempts(run)) records.push(...attemptRecords(run, attempt));
  }
  if (abort !== null) {
    records.push({ type: 'CancelRequested', runId, atMs: nowMs, reason: abort.message });
  }
  return records;
}

function runIdOf({ metadata }: HookRun): string {
  return metadata?.uid ?? '';
}

function allAttempts({ status }: HookRun): HookAttempt[] {
  const { attempts = [] } = status ?? {};
  const [first] = attempts;
  if (first === undefined) return [];
  const lost = Math.min(first.number - 1, LOST_ATTEMPTS_MAX);
  const failure = { ...first, finishedAt: first.startedAt, outcome: 'Failed' } as const;
  const numbers = Array.from({ length: lost }, (_, index) => first.number - lost + index);
  return [...numbers.map((number): HookAttempt => ({ ...failure, number })), ...attempts];
}

function attemptRecords(run: HookRun, attempt: HookAttempt): RunRecord[] {
  const { number, startedAt, finishedAt = startedAt, outcome } = attempt;
  const of = { runId: runIdOf(run), step: run.spec.stage, attempt: number };
  const started: RunRecord = { type: 'AttemptStarted', ...of, atMs: timeMs(startedAt) };
  if (outcome === undefined) return [started];
  const endedMs = timeMs(finishedAt);
  const result = resultOf(attempt, endedMs - timeMs(startedAt));
  return [started, { type: 'AttemptSettled', ...of, atMs: endedMs, result }];
}

const OUTCOMES: Readonly<Record<NonNullable<HookAttempt['outcome']>, Outcome>> = {
  Succeeded: 'Succeeded',
  Failed: 'Failed',
  TimedOut: 'TimedOut',
  Aborted: 'Cancelled',
  Unknown: 'Unknown',
};

function resultOf({ outcome = 'Unknown', reason = '' }: HookAttempt, ms: number): AttemptResult {
  return bareResult(OUTCOMES[outcome], reason, ms);
}
