/** Derives the conditions of a snapshot from the rest of its status. Pure. */
import { type Reported, withReported } from '../../../controller/conditions.ts';
import { type Progress, progressConditions } from '../../../controller/progress-conditions.ts';
import { countText } from '../../../model/count-text.ts';
import type { AdmittedObject, ApplicationSnapshot, ApplicationSnapshotStatus } from '../kinds.ts';

/** Returns the complete status to write, with its conditions. */
export function withConditions(
  { metadata, spec }: ApplicationSnapshot,
  status: ApplicationSnapshotStatus,
  nowMs: number,
): ApplicationSnapshotStatus {
  // A window that has admitted nothing yet has no list in its status.
  const seen = spec.window === undefined ? status : { admitted: [], ...status };
  const reported = [
    frozen(seen),
    cut(seen),
    thawed(seen),
    ...progressConditions(progress(seen)),
    failed(seen),
  ];
  return withReported(status, reported, { metadata, nowMs });
}

type ReportedCondition = Reported | null;

function frozen({
  volumes,
  executionHookNames = [],
  ...status
}: ApplicationSnapshotStatus): ReportedCondition {
  const type = 'Frozen';
  if (volumes === undefined) return null;
  if (executionHookNames.length === 0) {
    const isUsed = volumes.some(({ inUse }) => inUse);
    const message = isUsed ? 'The snapshot has no hooks.' : 'No pod uses the volumes.';
    return { type, status: 'False', reason: 'NotNeeded', message };
  }
  if (status.cutObservedAt !== undefined) {
    const what = status.admitted === undefined ? 'volumes are cut' : 'window is closed';
    const message = `The ${what}: the thaw was requested.`;
    return { type, status: 'False', reason: 'Released', message };
  }
  if (status.failure !== undefined) {
    const message = 'The snapshot has failed: the thaw was requested.';
    return { type, status: 'False', reason: 'Released', message };
  }
  const hooks = countText(executionHookNames.length, 'hook');
  if (status.cutRequestedAt === undefined) {
    return { type, status: 'False', reason: 'Freezing', message: `${hooks} must freeze.` };
  }
  return {
    type,
    status: 'True',
    reason: 'AllFrozen',
    message: `${hooks} froze the containers.`,
  };
}

function cut({
  cutRequestedAt,
  cutObservedAt,
  volumes = [],
  admitted,
}: ApplicationSnapshotStatus): ReportedCondition {
  const type = 'Cut';
  if (cutRequestedAt === undefined) return null;
  if (admitted !== undefined) return cutOfWindow(admitted, cutObservedAt);
  if (cutObservedAt === undefined) {
    const message = `The snapshots of ${countText(volumes.length, 'volume')} were requested at ${cutRequestedAt}.`;
    return { type, status: 'False', reason: 'Requested', message };
  }
  const message = `The cut of ${countText(volumes.length, 'volume')} was seen at ${cutObservedAt}.`;
  return { type, status: 'True', reason: 'Observed', message };
}

/** The condition of a window, whose snapshots are those of other clients. */
function cutOfWindow(
  admitted: readonly AdmittedObject[],
  cutObservedAt: string | undefined,
): ReportedCondition {
  const type = 'Cut';
  const count = admitted.filter(({ outcome }) => outcome === 'Cut').length;
  if (cutObservedAt === undefined) {
    const message = `Admitted: ${countText(admitted.length, 'snapshot')} of other clients.`;
    return { type, status: 'False', reason: 'Admitting', message };
  }
  const message = `The cut of ${count} of ${countText(admitted.length, 'snapshot')} was seen at ${cutObservedAt}.`;
  return { type, status: 'True', reason: 'Observed', message };
}

function thawed({
  hooks,
  executionHookNames = [],
  ...status
}: ApplicationSnapshotStatus): ReportedCondition {
  const type = 'Thawed';
  const isAsked = status.cutObservedAt !== undefined || status.failure !== undefined;
  if (executionHookNames.length === 0 || !isAsked) return null;
  if ((hooks?.length ?? 0) < executionHookNames.length) {
    return { type, status: 'False', reason: 'Thawing', message: 'The hooks thaw.' };
  }
  const stuck = (hooks ?? []).filter(({ postActionSucceed }) => postActionSucceed === false);
  if (stuck.length === 0) {
    return { type, status: 'True', reason: 'AllThawed', message: 'Nothing is frozen any more.' };
  }
  const names = stuck.map(({ name }) => name).join(', ');
  const message = `The postAction of ${names} has failed: something may still be frozen; see these hooks.`;
  return { type, status: 'False', reason: 'PostActionFailed', message };
}

function progress({
  cutObservedAt,
  volumes = [],
  phase = 'Pending',
  failure,
  admitted,
}: ApplicationSnapshotStatus): Progress {
  const isWindow = admitted !== undefined;
  if (phase === 'Completed' && isWindow) {
    const message = 'Each admitted snapshot has its verdict.';
    return { verdict: 'Current', reason: 'Judged', message };
  }
  if (phase === 'Completed') {
    const message = 'Volumes can be created from the snapshots.';
    return { verdict: 'Current', reason: 'ReadyToUse', message };
  }
  if (failure !== undefined) {
    const { reason, message } = failure;
    return { verdict: phase === 'Failed' ? 'Failed' : 'InProgress', reason, message };
  }
  if (cutObservedAt === undefined) {
    const message = `The snapshot is in phase ${phase}.`;
    return { verdict: 'InProgress', reason: phase, message };
  }
  if (isWindow) {
    const message =
      'The volumes are cut, and no snapshot can join this freeze any more. The verdicts follow after the thaw.';
    return { verdict: 'InProgress', reason: phase, message };
  }
  const count = volumes.filter(({ readyToUse }) => readyToUse === true).length;
  const message = `Ready to use: ${count} of ${countText(volumes.length, 'snapshot')}.`;
  return { verdict: 'InProgress', reason: 'NotReadyYet', message };
}

function failed({ failure }: ApplicationSnapshotStatus): ReportedCondition {
  if (failure === undefined) return null;
  const { reason, message } = failure;
  return { type: 'Failed', status: 'True', reason, message };
}
