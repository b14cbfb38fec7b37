/**
 * Decides the next step of a stage from its HookRun, its pods and the time. The engine decides about attempts, and this
 * module about their pods. A pod is created only after its intent is recorded and while no other hook pod exists. Its
 * finalizer is removed after its end is recorded.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { buildHookPod, isRefusal } from '../hookpod/build-hook-pod.ts';
import { identityOf } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';
import type { HookRun } from '../kinds.ts';
import { decideAttempt } from './decide-attempt.ts';
import { hasEnded, isPodOf } from './hook-run.ts';
import { deadlineAtMs, judgeRun } from './run-plan.ts';
import { refusedAs, settledAs, settlementOf } from './settlement.ts';
import type { StageFacts, StageStep } from './stage.ts';
import { deletion, tidyStep } from './tidy.ts';

export function decideStage(facts: StageFacts): StageStep {
  const { run, request, pods, nowMs, abort } = facts;
  if (run === null) return { kind: 'openRun', request };
  const settled = settledAs(run);
  // Finalizers of this run's pods block nothing: the machine removes them while it waits (`release`).
  if (settled !== null) return deletion(run, pods) ?? { kind: 'settled', run, ...settled };
  const open = run.status?.attempts.find(({ outcome }) => outcome === undefined);
  if (open !== undefined) return decideAttempt({ ...facts, run }, open);
  const decision = judgeRun({ run, nowMs, abort });
  switch (decision.do) {
    case 'settle': {
      const settlement = settlementOf({ run, nowMs, abort }, decision.outcome);
      return { kind: 'settleRun', run, settlement };
    }
    case 'wait': {
      const { untilMs, reason } = decision;
      return tidyStep(run, pods) ?? { kind: 'wait', untilMs, reason };
    }
    case 'start':
      return begin({ ...facts, run }, decision);
    default:
      return decision satisfies never;
  }
}

function begin(
  { run, request, pods, nowMs }: StageFacts & { readonly run: HookRun },
  { attempt, reason }: { readonly attempt: number; readonly reason: string },
): StageStep {
  const built = buildHookPod({ ...request, attempt });
  if (isRefusal(built)) return { kind: 'settleRun', run, settlement: refusedAs(run, built) };
  const other = pods.find((pod) => !isFinished(pod));
  if (other !== undefined) return clearAway({ run, nowMs }, other);
  return { kind: 'recordIntent', run, attempt, reason };
}

/**
 * Clears the way for a new attempt while another pod exists (ROLL-L3): pods of ended attempts are deleted, and all
 * others are waited for.
 */
function clearAway(
  { run, nowMs }: { readonly run: HookRun; readonly nowMs: number },
  pod: Pod,
): StageStep {
  const reason = `hook pod ${pod.metadata?.name ?? ''} still exists`;
  if (run.status === undefined) return { kind: 'startClock', run, reason };
  if (isTerminating(pod) || !isPast(run, pod)) {
    return { kind: 'wait', untilMs: deadlineAtMs({ run, nowMs }), reason };
  }
  return { kind: 'deletePod', pod, reason: 'another attempt starts' };
}

/**
 * True: the attempt of the pod has ended. False for an attempt that is not in this HookRun: the HookRun may be
 * outdated.
 */
function isPast(run: HookRun, pod: Pod): boolean {
  const identity = identityOf(pod);
  if (identity === null) return false;
  if (isPodOf(run, pod)) return hasEnded(run, identity.attempt);
  return identity.number < run.spec.rollout;
}
