/**
 * Keeps the records of past rollouts in the status, because the next rollout replaces `status.rollout`. A record has
 * the phases with their times, and the outcome, but no template. Pure.
 */
import type {
  DeploymentLifecycleStatus,
  PhaseRecord,
  RolloutRecord,
  RolloutStatus,
} from '../kinds.ts';
import { PHASES_KEPT, ROLLOUTS_KEPT } from '../names.ts';

/** Adds the current record of `status.rollout`. Idempotent. */
export function withHistory(status: DeploymentLifecycleStatus): DeploymentLifecycleStatus {
  const { rollout, history = [] } = status;
  if (rollout === undefined) return status;
  const others = history.filter(({ number }) => number !== rollout.number);
  const before = history.find(({ number }) => number === rollout.number);
  return { ...status, history: [...others, recordOf(rollout, before)].slice(-ROLLOUTS_KEPT) };
}

function recordOf(rollout: RolloutStatus, before: RolloutRecord | undefined): RolloutRecord {
  const { number, direction, digest, startedAt, ...more } = rollout;
  const { fromRevision, toRevision, releasedAt, finishedAt } = more;
  const reason = more.failure?.reason ?? more.reason;
  return {
    number,
    direction,
    digest,
    startedAt,
    ...(fromRevision === undefined ? {} : { fromRevision }),
    ...(toRevision === undefined ? {} : { toRevision }),
    ...(releasedAt === undefined ? {} : { releasedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(reason === undefined ? {} : { reason }),
    phases: phasesOf(rollout, before?.phases ?? []),
  };
}

function phasesOf(
  { phase, phaseStartedAt: startedAt }: RolloutStatus,
  before: PhaseRecord[],
): PhaseRecord[] {
  const last = before.at(-1);
  if (last?.phase === phase && last.startedAt === startedAt) return before;
  return [...before, { phase, startedAt }].slice(-PHASES_KEPT);
}
