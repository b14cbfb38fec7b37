import type { Pod } from 'kubernetes-types/core/v1.js';

import { isFinished } from '../hookpod/read-hook-pod.ts';
import type { HookRun } from '../kinds.ts';
import { decideAttempt } from './decide-attempt.ts';
import { isPodOf } from './hook-run.ts';
import { judgeRun } from './run-plan.ts';
import { settledAs, settlementOf } from './settlement.ts';
import type { StageAbort, StageStep } from './stage.ts';
import { tidyStep } from './tidy.ts';

export interface EndingFacts {
  readonly run: HookRun;
  /** All hook pods of the Deployment. */
  readonly pods: readonly Pod[];
  readonly nowMs: number;
  readonly abort: StageAbort;
}

/**
 * Decides the next step of a HookRun that must end, because its rollout is older or it is no longer needed. It starts
 * nothing. `settled`: none of its pods is alive or has Lifehook's finalizer.
 */
export function decideEnding({ run, pods, nowMs, abort }: EndingFacts): StageStep {
  const settled = settledAs(run);
  if (settled !== null) {
    const alive = pods.find((pod) => isPodOf(run, pod) && !isFinished(pod));
    const reason = `hook pod ${alive?.metadata?.name ?? ''} is being stopped`;
    const rest: StageStep =
      alive === undefined
        ? { kind: 'settled', run, ...settled }
        : { kind: 'wait', untilMs: null, reason };
    return tidyStep(run, pods) ?? rest;
  }
  const open = run.status?.attempts.find(({ outcome }) => outcome === undefined);
  const facts = { run, pods, nowMs, abort };
  if (open !== undefined) return decideAttempt({ ...facts, request: null }, open);
  const decision = judgeRun(facts);
  const outcome = decision.do === 'settle' ? decision.outcome : 'Cancelled';
  return { kind: 'settleRun', run, settlement: settlementOf(facts, outcome) };
}
