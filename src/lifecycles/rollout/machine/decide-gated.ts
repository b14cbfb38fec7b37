/** Decides the phases before the release: no pod of the new template runs, and deviations are fixed. Pure. */
import { RELEASED, WANTED_REPLICAS, RETRY } from '../names.ts';
import type { Phase } from '../kinds.ts';
import { abort } from './decide-abort.ts';
import { decideRestoring } from './decide-restoring.ts';
import { decideRollingBack } from './decide-rolling-back.ts';
import { dropStrays, dropSurplus } from './decide-runs.ts';
import { abortAsked, judgeStage } from './judge-stage.ts';
import type { Rolling } from './facts.ts';
import { marksOf } from './marks.ts';
import { replicasOf, exceededProgress } from './parts.ts';
import { enter, leftMs, waitingFor } from './phases.ts';
import { deadlineSeconds, hookOf } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';
import { releasedTemplate } from './templates.ts';

/** Milliseconds until the next look, in case the watch missed a deleted pod. */
const LOOK_AGAIN_MS = 5_000;

const DECIDES: { readonly [P in Phase]: (facts: Rolling) => MachineStep } = {
  Pre: decidePre,
  Draining: decideDrain,
  Mid: decideMid,
  Releasing: release,
  Restoring: decideRestoring,
  RollingBack: decideRollingBack,
  Held: decideHeld,
  // In these phases the template was released, so a user or a client has decreased the released number.
  Progressing: release,
  Post: release,
  Done: release,
  Failed: release,
  RolledBack: release,
};

export function decideGated(facts: Rolling): MachineStep {
  return DECIDES[facts.rollout.phase](facts);
}

/** Decides while the rollout is held. A wanted count above 0 scales the released template up again, from 0 replicas. */
function decideHeld(facts: Rolling): MachineStep {
  const { wanted } = marksOf(facts.deployment);
  if ((wanted ?? 0) > 0 && releasedTemplate(facts) !== null) {
    return enter(facts, 'Restoring', { reason: `${wanted ?? 0} replicas are wanted` });
  }
  return (
    dropStrays(facts, null) ??
    dropSurplus(facts) ?? {
      kind: 'wait',
      reason: 'until the template changes or a user requests a retry',
    }
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
 * Waits until a list from the server has no pods. Terminating and unknown pods count as alive (ROLL-E6, ROLL-C11,
 * ROLL-C12). A first rollout has no replicas to hold, but pods of an earlier Deployment of the same name may still
 * exist.
 */
function decideDrain(facts: Rolling): MachineStep {
  const { deployment, livePods } = facts;
  const { wanted } = marksOf(deployment);
  const cause = abortAsked(facts);
  if (cause !== null) return abort(facts, cause);
  if (wanted === null && releasedTemplate(facts) !== null) return hold(facts, 'they are drained');
  const left = leftMs(facts, deadlineSeconds(facts));
  if (livePods?.length === 0) return enter(facts, 'Mid', { reason: 'no old pod is alive' });
  const waiting = livePods ?? [];
  if (left <= 0) {
    const message = `after ${deadlineSeconds(facts)} s these still exist, and are alive or may create pods: ${waiting.join(', ')}`;
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

/**
 * Scales to 0, once. A later scale request becomes the count after the release (ROLL-C15, ROLL-C17). The count is
 * stored in an earlier write than the 0: if a webhook removes our annotations from the write with the 0, the record
 * stays (ROLL-M3).
 */
export function hold({ deployment }: Rolling, why: string): MachineStep {
  const replicas = replicasOf(deployment);
  const isKept = marksOf(deployment).wanted === replicas;
  return {
    kind: 'changeDeployment',
    reason: `the ${replicas} replicas ${isKept ? 'are scaled to 0' : 'are recorded as the wanted count'}: ${why}`,
    change: isKept ? { replicas: 0 } : { annotations: { [WANTED_REPLICAS]: String(replicas) } },
    emits: {},
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

/** Releases in one write, which the server rejects if anything has changed since the read (ROLL-E21). */
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
    emits: { notices: [{ type: 'Normal', reason: 'Released', message }] },
  };
}
