/**
 * Detects the unplanned end of a freeze: the pod was deleted, the container restarted, or the session ended. Pure.
 *
 * A lost freeze is recorded separately from the thaw. If a server or a file system holds the freeze, the end of a
 * process is no thaw.
 */
import { microTimeText } from '../../../controller/kube-time.ts';
import type { ContainerStatus, ResolvedActions, ThawedBy } from '../kinds.ts';
import type { SessionEnd } from '../session/session.ts';
import type { TargetFacts, TargetLife } from './facts.ts';
import { isUnstarted } from './kept-attempts.ts';
import { hasThaw, isIssued, isOpen, isThawed, outlivesContainer } from './targets.ts';

export interface NoticingFacts {
  readonly resolved: ResolvedActions;
  /** The field in which an end is recorded; null: the thaw had started before, and the end does not matter. */
  readonly endIs: 'freezeLost' | 'freezeDoubted' | null;
  readonly nowMs: number;
}

export function noticeEnds(
  target: ContainerStatus,
  facts: TargetFacts,
  { resolved, endIs, nowMs }: NoticingFacts,
): ContainerStatus {
  if (!isIssued(target) || isThawed(target) || isUnstarted(target.preActionStatus)) return target;
  const lost = whyLost(target, facts);
  const thawedBy = endedBy(target, facts, resolved);
  const unproven = thawedBy === null ? whyUnproven(target, facts, resolved) : null;
  const at = microTimeText(nowMs);
  return {
    ...target,
    ...(lost === null || endIs === null ? {} : { [endIs]: { at, reason: lost } }),
    ...(unproven === null ? {} : { thawUnproven: { at, reason: unproven } }),
    ...(thawedBy === null ? {} : { thawedBy }),
  };
}

/**
 * The reason why the thaw is not proven; null: none. Set if the container has ended for good, its lock outlives it, and
 * no thaw is known to have succeeded.
 */
function whyUnproven(
  target: ContainerStatus,
  { life, session }: TargetFacts,
  resolved: ResolvedActions,
): string | null {
  if (!outlivesContainer(resolved) || !hasThaw(resolved)) return null;
  if (life.kind !== 'gone' || target.thawUnproven !== undefined) return null;
  // A held session still reports its end, which may be a thaw.
  return isDecided(target) && session?.kind !== 'held' ? life.reason : null;
}

/** Whether the freeze has an outcome, and no attempt is running that may still report an end. */
function isDecided({ preActionStatus: pre, postActionStatus: post }: ContainerStatus): boolean {
  return pre?.actionSucceed !== undefined && !isOpen(pre) && !isOpen(post);
}

function whyLost(
  { preActionStatus, freezeLost }: ContainerStatus,
  { life, session }: TargetFacts,
): string | null {
  if (preActionStatus?.actionSucceed !== true || freezeLost !== undefined) return null;
  if (life.kind !== 'same') return life.reason;
  if (session?.kind === 'absent') return 'the controller that held the session no longer runs';
  return session?.kind === 'ended' ? `the session has ended: ${session.end.reason}` : null;
}

function endedBy(
  target: ContainerStatus,
  facts: TargetFacts,
  resolved: ResolvedActions,
): ThawedBy | null {
  // The end of an earlier session is no thaw while the freeze is undecided: the freeze may be retried.
  if (target.preActionStatus?.actionSucceed === undefined) return null;
  if (endsWithContainer(facts.life, resolved)) return 'gone';
  const { session } = facts;
  // A running thaw attempt reports the end itself.
  if (session?.kind !== 'ended' || isOpen(target.postActionStatus)) return null;
  const { session: action } = resolved.preAction;
  return action === undefined ? null : thawedByEnd(session.end, action.client !== undefined);
}

/**
 * Whether the freeze ends when its container exits. A session helper without a client runs commands, whose freeze may
 * outlive it.
 */
function endsWithContainer({ kind }: TargetLife, resolved: ResolvedActions): boolean {
  if (kind === 'gone') return !outlivesContainer(resolved);
  return kind === 'restarted' && resolved.preAction.session?.client !== undefined;
}

/** The thaw that the end of a session proves; null: the freeze may still be in force. */
export function thawedByEnd(end: SessionEnd, endsWithHolder: boolean): ThawedBy | null {
  if (end.kind === 'thawed') return end.exitCode === 0 || endsWithHolder ? end.by : null;
  return end.kind === 'broken' && endsWithHolder ? 'broken' : null;
}

/** Whether we must run the thaw of a session, because no session helper will. */
export function isHolderDead({ life, session }: TargetFacts): boolean {
  if (life.kind === 'restarted' || life.kind === 'gone') return true;
  if (session?.kind !== 'ended') return false;
  const { end } = session;
  return end.kind === 'broken' || (end.kind === 'thawed' && end.exitCode !== 0);
}
