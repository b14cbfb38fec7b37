/** Decides the phases after the release, until the next rollout begins. Pure. */
import { abortAsked, judgeStage } from './judge-stage.ts';
import type { Phase } from '../kinds.ts';
import { fail } from './decide-abort.ts';
import { decideRollingBack } from './decide-rolling-back.ts';
import type { Rolling } from './facts.ts';
import { enter, nowText } from './phases.ts';
import { exceededProgress, isComplete, isObserved } from './parts.ts';
import { hookOf } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';
import { revisionOf, setOf } from './templates.ts';
import { decideAtRest } from './decide-at-rest.ts';

const DECIDES: { readonly [P in Phase]: (facts: Rolling) => MachineStep } = {
  Progressing: decideProgress,
  Post: decidePost,
  RollingBack: decideRollingBack,
  Done: decideAtRest,
  Failed: decideAtRest,
  RolledBack: decideAtRest,
  // In these phases the release has succeeded, but is not recorded yet.
  Releasing: recordRelease,
  Pre: recordRelease,
  Draining: recordRelease,
  Mid: recordRelease,
  Restoring: recordRelease,
  Held: recordRelease,
};

export function decideReleased(facts: Rolling): MachineStep {
  return DECIDES[facts.rollout.phase](facts);
}

function recordRelease(facts: Rolling): MachineStep {
  const releasedAt = nowText(facts);
  if (facts.rollout.reason === 'Reverted') {
    return complete(facts, { releasedAt });
  }
  return enter(facts, 'Progressing', { reason: 'it is released', rollout: { releasedAt } });
}

function decideProgress(facts: Rolling): MachineStep {
  const { deployment, rollout } = facts;
  const cause = abortAsked(facts);
  if (cause !== null) return fail(facts, cause);
  if (isComplete(deployment)) {
    const revision = revisionText(facts);
    const more = revision === undefined ? {} : { toRevision: revision };
    if (hookOf(facts, 'post') === null) return complete(facts, more);
    return enter(facts, 'Post', { reason: 'all of its pods are available', rollout: more });
  }
  const exceeded = exceededProgress(deployment);
  // A condition that is older than the release does not count (ROLL-C32, ROLL-E10).
  if (exceeded !== null && isObserved(deployment) && isNew(exceeded.lastUpdateTime, rollout)) {
    const message = exceeded.message ?? 'the Deployment has stopped progressing';
    return fail(facts, { reason: 'ProgressDeadlineExceeded', message });
  }
  return { kind: 'wait', reason: 'the Deployment controller rolls it out' };
}

function isNew(time: string | undefined, { staleProgress }: Rolling['rollout']): boolean {
  return time === undefined || time !== staleProgress;
}

function decidePost(facts: Rolling): MachineStep {
  const verdict = judgeStage(facts, 'post');
  if (verdict.kind === 'busy') return verdict.step;
  if (verdict.kind === 'failed') return fail(facts, verdict.cause);
  return complete(facts);
}

function complete(facts: Rolling, more: Partial<Rolling['rollout']> = {}): MachineStep {
  const { number, rollout } = facts;
  const { digest, template, toRevision } = { ...rollout, ...more };
  const revision = toRevision === undefined ? {} : { revision: toRevision };
  const { reason = 'Completed' } = rollout;
  const message =
    reason === 'Reverted'
      ? `Rollout ${number} is done: its template is the one that runs.`
      : `Rollout ${number} is complete.`;
  return enter(facts, 'Done', {
    reason: message,
    rollout: { ...more, reason },
    status: { released: { number, digest, template, ...revision } },
    notices: [{ type: 'Normal', reason: 'Completed', message }],
  });
}

function revisionText({ sets, rollout }: Rolling): string | undefined {
  const set = setOf(sets, rollout.digest);
  return set === null || revisionOf(set) === 0 ? undefined : String(revisionOf(set));
}
