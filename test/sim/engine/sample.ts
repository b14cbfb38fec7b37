/** Short text forms of plans and records, for table tests. */
import type { Plan, PlannedStep, Step } from '../../../src/engine/plan.ts';
import { bareResult } from '../../../src/engine/act.ts';
import { step } from '../../../src/engine/step.ts';
import type { Outcome, RunRecord } from '../../../src/model/attempt.ts';
import type { FailurePolicy, HookPolicy } from '../../../src/model/hook.ts';

export interface HookSample {
  readonly policy?: FailurePolicy;
  readonly limit?: number;
  readonly backoffSeconds?: number;
  readonly timeoutSeconds?: number | null;
}

export function samplePolicy(sample: HookSample = {}): HookPolicy {
  return {
    timeoutSeconds: sample.timeoutSeconds ?? null,
    retry: { limit: sample.limit ?? 0, backoffSeconds: sample.backoffSeconds ?? 0 },
    failurePolicy: sample.policy ?? 'Abort',
  };
}

function sampleHook(name: string, sample: HookSample): PlannedStep {
  const source = { kind: 'file', file: 'hooks.yaml', line: 3, column: 5 } as const;
  return { name, policy: samplePolicy(sample), source };
}

export function main(name: string, sample: HookSample = {}): Step {
  return { kind: 'main', ...sampleHook(name, sample) };
}

export function cleanup(name: string, sample: HookSample & { undoes?: string } = {}): Step {
  const { undoes } = sample;
  const hook = sampleHook(name, sample);
  return undoes === undefined ? { kind: 'cleanup', ...hook } : { kind: 'cleanup', ...hook, undoes };
}

export function planOf(steps: readonly Step[], deadlineAtMs: number | null = null): Plan {
  return { runId: 'run', title: 'a sample run', steps, deadlineAtMs };
}

/**
 * Records from "1 start freeze 1; 2 Failed freeze 1; 3 cancel; 4 settle Failed": time, event, step, attempt. A
 * RunOpened record at time 0 precedes them.
 */
export function recordsOf(plan: Plan, samples: string): RunRecord[] {
  const { runId, title, deadlineAtMs } = plan;
  const steps = plan.steps.map((planned) => {
    const { kind, name } = planned;
    const undoes = planned.kind === 'cleanup' ? planned.undoes : undefined;
    return undoes === undefined ? { kind, name } : { kind, name, undoes };
  });
  const opened: RunRecord = { type: 'RunOpened', runId, atMs: 0, title, steps, deadlineAtMs };
  if (samples === '') return [opened];
  return [opened, ...samples.split('; ').map((sample) => recordOf(runId, sample.split(' ')))];
}

function recordOf(runId: string, [time, what = '', name = '', number]: string[]): RunRecord {
  const atMs = Number(time);
  const attempt = Number(number);
  switch (what) {
    case 'cancel':
      return { type: 'CancelRequested', runId, atMs, reason: 'the caller requested it' };
    case 'settle':
      return { type: 'RunSettled', runId, atMs, outcome: name as Outcome, reason: 'As told.' };
    case 'start':
      return { type: 'AttemptStarted', runId, atMs, step: name, attempt };
    default: {
      const outcome = what as Outcome;
      const result = bareResult(outcome, `it ended ${outcome}`, 1);
      return { type: 'AttemptSettled', runId, atMs, step: name, attempt, result };
    }
  }
}

/**
 * The engine's decision as text, without its reason: "start freeze 1 30000", "wait 1500", "settle Failed". "-" stands
 * for null.
 */
export function decide(plan: Plan, samples: string, nowMs: number): string {
  const decision = step({ plan, records: recordsOf(plan, samples), nowMs });
  if (decision.do === 'settle') return `settle ${decision.outcome}`;
  if (decision.do === 'wait') return `wait ${decision.untilMs ?? '-'}`;
  return `start ${decision.step.name} ${decision.attempt} ${decision.timeoutMs ?? '-'}`;
}
