/**
 * The probes that are asked when the cut has been seen. Targets may share a freeze (a volume, a server), so the
 * first thaw may end the freeze of all: no thaw begins before all of them are answered. Pure.
 */
import type { ContainerStatus, ExecutionHook, ProbeStatus, ResolvedActions } from '../kinds.ts';
import { CUT_SEEN, RELEASE } from '../names.ts';
import type { Round } from './facts.ts';
import { containerKey } from './probe-rounds.ts';
import { isHeld, isIssued, isThawed, preOutcome } from './targets.ts';

/** Whether the storage has cut the volumes: the release says so, or the sign that comes before it. */
export function isCutSeen({ metadata, status }: ExecutionHook): boolean {
  const { annotations = {} } = metadata ?? {};
  if (annotations[CUT_SEEN] !== undefined) return true;
  return status?.release?.cause === 'Cut' || annotations[RELEASE]?.startsWith('Cut') === true;
}

/**
 * Another hook of the snapshot may have been thawed: the sign came before all thaws, and the release did not wait
 * for an answer of this hook any more.
 */
export function isAskedLate({ metadata }: ExecutionHook): boolean {
  const { annotations = {} } = metadata ?? {};
  return annotations[CUT_SEEN] !== undefined && annotations[RELEASE] !== undefined;
}

/** Those whose freeze succeeded and who have not answered. None: a thaw has begun, so an answer proves nothing. */
export function targetsToAsk(
  targets: readonly ContainerStatus[],
  { probe }: ResolvedActions,
): readonly ContainerStatus[] {
  if (probe === undefined || targets.some(isThawBegun)) return [];
  return targets.filter((target) => isHeld(target) && mayAnswer(target));
}

function mayAnswer(target: ContainerStatus): boolean {
  if (preOutcome(target) !== true) return false;
  return !(target.probes ?? []).some(({ when }) => when === 'AfterCut');
}

function isThawBegun({ postActionStatus }: ContainerStatus): boolean {
  return postActionStatus?.actionTimestamp !== undefined;
}

/**
 * The targets with the answers of a round that has ended, those that have ended meanwhile among them. The answers
 * become durable with the intent of the first thaw, at the latest.
 */
export function settleAnswers(
  targets: readonly ContainerStatus[],
  round: Round,
): readonly ContainerStatus[] {
  if (round.kind !== 'answered' || targets.some(isThawBegun)) return targets;
  const mayBeThawed = targets.some(hasEndedAlone);
  return targets.map((target) => {
    const answer = round.answers.get(containerKey(target));
    if (answer === undefined || !mayAnswer(target)) return target;
    const kept = mayBeThawed ? inDoubt(answer) : answer;
    return { ...target, probes: [...(target.probes ?? []), kept] };
  });
}

/** Its end may have ended the freeze that another target shares, and may have come after the cut. */
function hasEndedAlone(target: ContainerStatus): boolean {
  return isIssued(target) && (isThawed(target) || target.freezeDoubted !== undefined);
}

/** Frozen is frozen; what is not any more may have been thawed after the cut, and proves nothing (SNAP-I13). */
export function inDoubt(answer: ProbeStatus): ProbeStatus {
  if (answer.outcome !== 'NotFrozen') return answer;
  const reason = `${answer.reason ?? ''} It may have been thawed before, and after the cut.`;
  return { ...answer, outcome: 'Unknown', reason };
}
