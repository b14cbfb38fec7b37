/**
 * The steps after an abort. Pure.
 *
 * Before the release: under Rollback one write restores the earlier template. Under Hold the new template stays in the
 * spec, paused. If no old pods run (they were drained, or never created), they are started first in three steps: write
 * the earlier template with its replicas; wait for its pods; write the new template again, paused. Only scaling up
 * would start the pods of the newest ReplicaSet, which may have another template (ROLL-E8). After the release the pods
 * of the new template run. Under Hold they stay. Under Rollback the earlier template is rolled out as a new number,
 * with its hooks (ROLL-C10).
 */
import type { Notice } from '../../../controller/event-correlator.ts';
import { ABORTED_DIGESTS_KEPT } from '../names.ts';
import type { RolloutFailure } from '../kinds.ts';
import type { Rolling } from './facts.ts';
import { marksOf } from './marks.ts';
import { lastReleased, replicasOf } from './parts.ts';
import { type Entering, enter, failureOf } from './phases.ts';
import { isRecreate } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';
import { releasedTemplate } from './templates.ts';

type Cause = Omit<RolloutFailure, 'at'>;

/** The step after a failure before the release. */
export function abort(facts: Rolling, cause: Cause): MachineStep {
  const { lifecycle, rollout } = facts;
  const failure = failureOf(facts, cause);
  const entering: Entering = {
    reason: `${cause.reason}: ${cause.message}`,
    rollout: { failure },
    status: { abortedDigests: remembered(facts, rollout.digest) },
    notices: [failedNotice(facts, failure)],
  };
  if (releasedTemplate(facts) === null) return held(facts, entering);
  if (lifecycle.spec.onAbort === 'Rollback') return enter(facts, 'RollingBack', entering);
  return isServing(facts) ? held(facts, entering) : enter(facts, 'Restoring', entering);
}

/**
 * True: old pods serve. Without an active ReplicaSet there are no old pods: while the Deployment is paused, no
 * ReplicaSet is created or revived (ROLL-E8, ROLL-E25).
 */
function isServing({ deployment, sets }: Rolling): boolean {
  const areNone = replicasOf(deployment) > 0 && sets.every((set) => replicasOf(set) === 0);
  return marksOf(deployment).wanted === null && !areNone;
}

/** The step after a failure that follows the release. */
export function fail(facts: Rolling, cause: Cause): MachineStep {
  const failure = failureOf(facts, cause);
  const entering: Entering = {
    reason: `${cause.reason}: ${cause.message}`,
    rollout: { failure },
    notices: [failedNotice(facts, failure)],
  };
  return isToBeRolledBack(facts, cause)
    ? enter(facts, 'RollingBack', withDigest(facts, entering))
    : enter(facts, 'Failed', entering);
}

/** True: the failure causes a rollback. A failed rollback and an exceeded progress deadline do not. */
function isToBeRolledBack(facts: Rolling, { reason, stage }: Cause): boolean {
  const { lifecycle, rollout } = facts;
  if (lifecycle.spec.onAbort !== 'Rollback' || rollout.direction === 'Rollback') return false;
  if (lastReleased(lifecycle) === null) return false;
  return reason === 'AbortedByUser' || (stage === 'post' && isRecreate(facts));
}

export function held(
  facts: Rolling,
  entering: Entering = { reason: 'the drained Deployment is scaled up again' },
): MachineStep {
  const message = `Rollout ${facts.number} is held: its template is in the spec, but does not run.`;
  const notice: Notice = { type: 'Normal', reason: 'Held', message };
  return enter(facts, 'Held', { ...entering, notices: [...(entering.notices ?? []), notice] });
}

function withDigest(facts: Rolling, entering: Entering): Entering {
  return { ...entering, status: { abortedDigests: remembered(facts, facts.rollout.digest) } };
}

function remembered({ lifecycle }: Rolling, digest: string): string[] {
  const { abortedDigests = [] } = lifecycle.status ?? {};
  return [...abortedDigests.filter((other) => other !== digest), digest].slice(
    -ABORTED_DIGESTS_KEPT,
  );
}

function failedNotice({ number }: Rolling, { reason, message }: RolloutFailure): Notice {
  return {
    type: 'Warning',
    reason: 'Failed',
    message: `Rollout ${number} has failed (${reason}): ${message}`,
  };
}
