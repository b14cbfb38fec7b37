/**
 * Selects the targets to probe once the snapshot cut was seen. Pure.
 *
 * Targets may share a freeze (of a volume or a server). The first thaw then ends it for all of them, so no thaw starts
 * before every probe has answered.
 */
import { cutTokenOf } from '../cut-mark.ts';
import type {
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
  ProbeStatus,
  ResolvedActions,
} from '../kinds.ts';
import { CUT_RELEASE, CUT_SEEN, RELEASE } from '../names.ts';
import type { HookFacts, Round } from './facts.ts';
import { containerKey } from './probe-rounds.ts';
import { isHeld, isIssued, isThawed, preOutcome } from './targets.ts';

/**
 * Whether the storage has cut the volumes. The release shows that, and so does the annotation CUT_SEEN, which is set
 * before the release.
 */
export function isCutSeen(hook: ExecutionHook): boolean {
  return cutTokenOf(hook) !== undefined || hook.status?.release?.cause === 'Cut';
}

/**
 * Whether the probe runs so late that another hook of the snapshot may have thawed already. CUT_SEEN was set before all
 * thaws, but the release did not wait for this hook's answer any longer.
 */
export function isAskedLate({ metadata }: ExecutionHook): boolean {
  const { annotations = {} } = metadata ?? {};
  const isReleased = annotations[CUT_RELEASE] !== undefined || annotations[RELEASE] !== undefined;
  return annotations[CUT_SEEN] !== undefined && isReleased;
}

/**
 * Adds the token of the annotation on which the hook acts, by its probes or by its thaw. The first token stays: a later
 * one proves nothing about a probe that ran before it (SNAP-S8).
 */
export function withCutToken(
  status: ExecutionHookStatus,
  { hook, round }: Pick<HookFacts, 'hook' | 'round'>,
): ExecutionHookStatus {
  const isActing = status.release?.cause === 'Cut' || round.kind === 'answered';
  if (status.cutToken !== undefined || !isActing) return status;
  const cutToken = round.kind === 'none' ? cutTokenOf(hook) : round.cutToken;
  return cutToken === undefined ? status : { ...status, cutToken };
}

/** Targets with a successful freeze and no answer yet. Empty once a thaw has started: an answer then proves nothing. */
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
 * Adds the answers of a finished round to the targets, also to targets that have ended since. The answers are stored
 * with the intent of the first thaw at the latest.
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

/**
 * Whether this target has ended. Its end may have ended a freeze that another target shares, possibly after the cut.
 */
function hasEndedAlone(target: ContainerStatus): boolean {
  return isIssued(target) && (isThawed(target) || target.freezeDoubted !== undefined);
}

/**
 * Turns "NotFrozen" into "Unknown": it proves nothing (SNAP-I13), since the target may have been thawed after the cut.
 */
export function inDoubt(answer: ProbeStatus): ProbeStatus {
  if (answer.outcome !== 'NotFrozen') return answer;
  const reason = `${answer.reason ?? ''} It may have been thawed before or after the cut.`;
  return { ...answer, outcome: 'Unknown', reason };
}
