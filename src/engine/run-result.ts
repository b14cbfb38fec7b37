import type { AttemptResult, RunOutcome, RunRecord } from '../model/attempt.ts';
import type { Plan, Step } from './plan.ts';
import { readRecords, type StepState } from './records.ts';

export interface RunResult {
  readonly outcome: RunOutcome;
  /** The first cause, followed by the later ones. */
  readonly reason: string;
  /** In plan order; a step that never started has no attempts. */
  readonly steps: readonly StepResult[];
  /** One sentence for each ignored failure. */
  readonly warnings: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly kind: Step['kind'];
  readonly attempts: number;
  /** The result of its last attempt; null: none ended. */
  readonly result: AttemptResult | null;
}

export function runResult(
  plan: Plan,
  records: readonly RunRecord[],
  settled: { outcome: RunOutcome; reason: string },
): RunResult {
  const state = readRecords(plan, records);
  const steps = plan.steps.map(({ name, kind }) => {
    const { attempts, last } = state.step(name);
    return { name, kind, attempts, result: last === null ? null : last.result };
  });
  const warnings = plan.steps.flatMap((step) => ignoredFailure(step, state.step(step.name)));
  return { outcome: settled.outcome, reason: settled.reason, steps, warnings };
}

function ignoredFailure({ name, policy }: Step, { last }: StepState): string[] {
  if (policy.failurePolicy !== 'Ignore' || last === null) return [];
  const { outcome, reason } = last.result;
  if (outcome === 'Succeeded') return [];
  return [`${name} was ignored: attempt ${last.attempt} ended ${outcome}: ${reason}`];
}
