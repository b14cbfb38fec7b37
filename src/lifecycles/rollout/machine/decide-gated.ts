/** The phases before the release: nothing of the new template runs, and what does not fit is put right. Pure. */
import { RELEASED, WANTED_REPLICAS, RETRY } from '../names.ts';
import type { Phase } from '../kinds.ts';
import { abort } from './decide-abort.ts';
import { decideRestoring } from './decide-restoring.ts';
import { decideRollingBack } from './decide-rolling-back.ts';
import { dropStrays, dropSurplus } from './decide-runs.ts';
import { abortAsked, judgeStage } from './decide-stage.ts';
import type { Rolling } from './facts.ts';
import { marksOf } from './marks.ts';
import { enter, leftMs, waitingFor } from './phases.ts';
import { exceededProgress } from './progress.ts';
import { deadlineSeconds, hookOf } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';
import { releasedTemplate } from './templates.ts';

/** That a pod goes is told; this is for what was not. */
const LOOK_AGAIN_MS = 5_000;

const DECIDES: { readonly [P in Phase]: (facts: Rolling) => MachineStep } = {
  Pre: decidePre,
  Draining: decideDrain,
  Mid: decideMid,
  Releasing: release,
  Restoring: decideRestoring,
  RollingBack: decideRollingBack,
  Held: decideHeld,
  // Somebody has turned the number that was released back.
  Progressing: release,
  Post: release,
  Done: release,
  Failed: release,
  RolledBack: release,
};

export function decideGated(facts: Rolling): MachineStep {
  return DECIDES[facts.rollout.phase](facts);
}

/** Who asks for replicas of what stands at 0 gets them, of the template that was released. */
function decideHeld(facts: Rolling): MachineStep {
  const { wanted } = marksOf(facts.deployment);
  if ((wanted ?? 0) > 0 && releasedTemplate(facts) !== null) {
    return enter(facts, 'Restoring', { reason: `${wanted ?? 0} replicas are wanted` });
  }
  return (
    dropStrays(facts, null) ??
    dropSurplus(facts) ?? { kind: 'wait', reason: 'until the template changes, or a retry' }
  );
}

function decidePre(facts: Rolling): MachineStep {
  const verdict = judgeStage(facts, 'pre');
  if (verdict.kind === 'busy') return verdict.step;
  if (verdict.kind === 'failed') return abort(facts, verdict.cause);
  const { reason } = verdict;
  if (hookOf(facts, 'mid') === null) return enterReleasing(facts, reason);
  return enter(facts, 'Draining', { reason });
}

/**
 * A true zero, by a list from the server: terminating and unknown pods live (ROLL-E6, ROLL-C11, ROLL-C12). A first rollout has
 * no replicas to hold, but pods of a Deployment of the same name may still be there.
 */
function decideDrain(facts: Rolling): MachineStep {
  const { deployment, livePods } = facts;
  const { wanted } = marksOf(deployment);
  const cause = abortAsked(facts);
  if (cause !== null) return abort(facts, cause);
  if (wanted === null && releasedTemplate(facts) !== null) return hold(facts, 'they are drained');
  const left = leftMs(facts, deadlineSeconds(facts));
  if (livePods?.length === 0) return enter(facts, 'Mid', { reason: 'no pod of it lives' });
  const waiting = livePods ?? [];
  if (left <= 0) {
    const message = `after ${deadlineSeconds(facts)} s there still live ${waiting.join(', ')}`;
    return abort(facts, { reason: 'DrainDeadlineExceeded', message });
  }
  return (
    waitingFor(facts, waiting) ?? {
      kind: 'waitFor',
      ms: Math.min(left, LOOK_AGAIN_MS),
      reason: `${waiting.length} pods live`,
    }
  );
}

/** To 0, once; what somebody wants meanwhile is what there is to be afterwards (ROLL-C15, ROLL-C17). */
export function hold({ deployment }: Rolling, why: string): MachineStep {
  const replicas = deployment.spec?.replicas ?? 1;
  return {
    kind: 'changeDeployment',
    reason: `the ${replicas} replicas go to 0: ${why}`,
    change: { replicas: 0, annotations: { [WANTED_REPLICAS]: String(replicas) } },
    telling: {},
  };
}

function decideMid(facts: Rolling): MachineStep {
  const verdict = judgeStage(facts, 'mid');
  if (verdict.kind === 'busy') return verdict.step;
  if (verdict.kind === 'failed') return abort(facts, verdict.cause);
  return enterReleasing(facts, verdict.reason);
}

function enterReleasing(facts: Rolling, reason: string): MachineStep {
  const stale = exceededProgress(facts.deployment)?.lastUpdateTime;
  const rollout = stale === undefined ? {} : { staleProgress: stale };
  return enter(facts, 'Releasing', { reason, rollout });
}

/** One write, which the server refuses where anything has changed since (ROLL-E21). */
export function release({ deployment, number }: Rolling): MachineStep {
  const { wanted } = marksOf(deployment);
  const message = `Rollout ${number} is released.`;
  return {
    kind: 'changeDeployment',
    reason: message,
    change: {
      paused: false,
      ...(wanted === null ? {} : { replicas: wanted }),
      annotations: { [RELEASED]: String(number), [WANTED_REPLICAS]: null, [RETRY]: null },
    },
    telling: { notices: [{ type: 'Normal', reason: 'Released', message }] },
  };
}
