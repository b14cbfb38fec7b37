/** Opens a new run, or reopens one whose process exited before the run settled. */
import type { RunRecord, StepOutline } from '../model/attempt.ts';
import { LifehookError } from '../model/problem.ts';
import type { Clock } from '../platform/platform.ts';
import { bareResult } from './bare-result.ts';
import type { Plan, Step } from './plan.ts';
import { readRecords } from './records.ts';
import type { RunLog } from './run-log.ts';

/** Appends the opening record of a new run; in an existing one, every intent without outcome becomes Unknown. */
export async function openRun(plan: Plan, log: RunLog, clock: Clock): Promise<void> {
  const { runId, title, deadlineAtMs } = plan;
  const steps = plan.steps.map(outlineOf);
  const [first] = log.records;
  if (first === undefined) {
    const atMs = clock.nowMs();
    await log.append({ type: 'RunOpened', runId, atMs, title, steps, deadlineAtMs });
    return;
  }
  refuseOtherSteps(plan, steps, first);
  const { settled, open } = readRecords(plan, log.records);
  if (settled !== null) return;
  for (const { step, attempt } of open) {
    const reason = 'it was started, and who ran it went away before its end was recorded';
    const result = bareResult('Unknown', reason, 0);
    const atMs = clock.nowMs();
    await log.append({ type: 'AttemptSettled', runId, atMs, step, attempt, result });
  }
}

function outlineOf(step: Step): StepOutline {
  const { kind, name } = step;
  if (step.kind === 'main' || step.undoes === undefined) return { kind, name };
  return { kind, name, undoes: step.undoes };
}

/** Rejects other steps: the records would be misread as theirs. */
function refuseOtherSteps(plan: Plan, steps: readonly StepOutline[], first: RunRecord): void {
  const given = JSON.stringify(steps);
  const recorded = first.type === 'RunOpened' ? JSON.stringify(first.steps) : 'no opening';
  if (recorded === given) return;
  throw new LifehookError({
    code: 'LHE006',
    severity: 'error',
    message: `Run ${plan.runId} (${plan.title}) goes on only with the steps it was opened with, ${recorded}, not with ${given}.`,
    next: 'Give it those steps, or open a new run under another id.',
  });
}
