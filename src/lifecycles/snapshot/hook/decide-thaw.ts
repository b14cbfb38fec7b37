/**
 * Decides the thaws of a released hook. Every target whose freeze was ordered is thawed (SNAP-G9, SNAP-G11), each with
 * its own time budget (SNAP-G16). A thaw that has used up its budget has failed. It is retried slowly until it
 * succeeds, a user marks it as done by hand, or its pod is deleted (SNAP-G15). The thaw of a lock that outlives
 * its pod is retried in a rescue pod, if the hook has one. Pure.
 */
import { step } from '../../../engine/step.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import type { ActionStatus, ContainerStatus } from '../kinds.ts';
import { TAKEN_ON } from '../names.ts';
import type { Due, SharedFacts } from './decide-freeze.ts';
import type { HookFacts, TargetFacts } from './facts.ts';
import { isHolderDead } from './notice-ends.ts';
import { isDenied, isUnstarted } from './kept-attempts.ts';
import { restOfThawMs, slowThawPlan, thawPlan, type ThawFacts } from './plan.ts';
import { recordsOf, slowRecordsOf } from './records.ts';
import {
  canBeThawed,
  hasThaw,
  isHeld,
  isIssued,
  isOpen,
  isThawed,
  isUnproven,
  timeOf,
} from './targets.ts';

/** The place where a thaw runs: the frozen container, or a rescue pod. */
export type ThawPlace = 'container' | 'rescue';

/**
 * Settles targets that need no attempt: nothing to undo, marked as done by hand, out of budget, or beyond any thaw. A
 * mark of a user counts once no attempt runs: it would thaw the freeze of a later hook (SNAP-I9).
 */
export function judgeThaws(
  targets: readonly ContainerStatus[],
  { hook, targets: known }: HookFacts,
  shared: SharedFacts,
): ContainerStatus[] {
  const takenOnBy = hook.metadata?.annotations?.[TAKEN_ON];
  return targets.map((target, index) => {
    if (!isHeld(target) || isOpen(target.preActionStatus)) return target;
    if (!hasThaw(shared.resolved) || isUnstarted(target.preActionStatus))
      return { ...target, postActionStatus: { actionSucceed: true } };
    const isRunning = isOpen(target.postActionStatus);
    if (takenOnBy !== undefined && !isRunning && !mayHolderThaw(target, known[index], shared)) {
      return takenOn(target, takenOnBy, shared.nowMs);
    }
    const isOver = !canBeThawed(target) || isSpent(thawFacts(target, known[index], shared));
    return isOver ? failedThaw(target, shared.nowMs) : target;
  });
}

/**
 * Whether a session helper may still thaw by itself. A user may mark only a failed thaw as done: a helper that is still
 * alive would thaw the freeze of a later hook (SNAP-I9). So one thaw attempt of ours, which waits until the helper's
 * window is over, must have failed first.
 */
function mayHolderThaw(
  { postActionStatus: post }: ContainerStatus,
  own: TargetFacts | undefined,
  { resolved }: SharedFacts,
): boolean {
  if (resolved.preAction.session === undefined) return false;
  if (own !== undefined && isHolderDead(own)) return false;
  return post?.attempts?.some(({ outcome }) => outcome === 'Failed') !== true;
}

/**
 * The place of the thaw. A rescue pod on the same node thaws for a container that cannot: it has ended for good, or its
 * pod is terminating and one of its thaws has ended without success. In a terminating pod, the thaw stays in the
 * container while its session is held, since the helper still reports how the session ended.
 */
export function placeOfThaw(
  target: ContainerStatus,
  own: Pick<TargetFacts, 'life' | 'session'> | undefined,
): ThawPlace {
  if (target.rescue === undefined || own === undefined) return 'container';
  const { life, session } = own;
  if (life.kind === 'gone' || isUnproven(target)) return 'rescue';
  if (life.kind !== 'terminating' || session?.kind === 'held') return 'container';
  return hasEnded(target.postActionStatus) ? 'rescue' : 'container';
}

function thawFacts(
  target: ContainerStatus,
  own: TargetFacts | undefined,
  shared: SharedFacts,
): ThawFacts {
  const isHurried = own?.isTerminating === true && placeOfThaw(target, own) === 'container';
  return { ...shared, target, isHurried };
}

/** Whether an attempt has ended without success: after a success no attempt follows. */
function hasEnded({ attempts = [] }: ActionStatus = {}): boolean {
  return attempts.some(({ outcome }) => outcome !== undefined);
}

function takenOn(target: ContainerStatus, by: string, nowMs: number): ContainerStatus {
  const error = {
    time: microTimeText(nowMs),
    message: `The thaw was marked as done by hand by ${by}.`,
  };
  const { actionSucceed = false } = target.postActionStatus ?? {};
  const postActionStatus = { ...target.postActionStatus, actionSucceed, error };
  return { ...target, postActionStatus, thawedBy: 'released' };
}

function isSpent(facts: ThawFacts): boolean {
  const { postActionStatus: post } = facts.target;
  if (post?.actionTimestamp === undefined || post.actionSucceed !== undefined) return false;
  if (isOpen(post)) return false;
  const restMs = restOfThawMs(facts);
  if (restMs <= 0 || isDenied(post)) return true;
  const { nowMs } = facts;
  const decision = step({ plan: thawPlan(facts), records: recordsOf(facts), nowMs });
  if (decision.do === 'settle') return decision.outcome !== 'Succeeded';
  return decision.do === 'wait' && decision.untilMs !== null && decision.untilMs - nowMs >= restMs;
}

function failedThaw(target: ContainerStatus, nowMs: number): ContainerStatus {
  const { postActionStatus: post = {}, thawUnproven } = target;
  if (post.actionSucceed === false) return target;
  const message =
    thawUnproven === undefined
      ? 'The time for the thaw has passed.'
      : `No thaw is proven: ${thawUnproven.reason}, and the freeze does not end with its container.`;
  const isReported = thawUnproven === undefined || target.rescue !== undefined;
  const known = isReported ? post.error : undefined;
  const error = known ?? { time: microTimeText(nowMs), message };
  return { ...target, postActionStatus: { ...post, actionSucceed: false, error } };
}

export interface DueThaw extends Due {
  readonly isSlow: boolean;
}

export interface NextThaws {
  readonly due: readonly DueThaw[];
  /** Milliseconds until the next reconcile; null: no reconcile is planned. */
  readonly inMs: number | null;
}

export function nextThaws(
  targets: readonly ContainerStatus[],
  { nowMs, targets: known }: HookFacts,
  shared: SharedFacts,
): NextThaws {
  const [releasedAtMs = nowMs] = timeOf(shared.release?.at);
  const due: DueThaw[] = [];
  const waits: number[] = [];
  for (const [index, target] of targets.entries()) {
    if (!needsThaw(target) || known[index]?.isUnread === true) continue;
    const turnMs = waitForTurnMs({ targets, index, releasedAtMs, nowMs });
    const next =
      turnMs === null ? nextThaw(thawFacts(target, known[index], shared)) : { inMs: turnMs };
    if ('inMs' in next) waits.push(next.inMs);
    else due.push({ index, ...next });
  }
  return { due, inMs: waits.length === 0 ? null : Math.min(...waits) };
}

/** Whether an attempt of ours could thaw the target, and none is running. */
function needsThaw(target: ContainerStatus): boolean {
  if (!canBeThawed(target)) return false;
  return !isOpen(target.preActionStatus) && !isOpen(target.postActionStatus);
}

function nextThaw(
  facts: ThawFacts,
): { readonly timeoutMs: number; readonly isSlow: boolean } | { readonly inMs: number } {
  const { target, nowMs } = facts;
  const isSlow = target.postActionStatus?.actionSucceed === false;
  const decision = isSlow
    ? step({ plan: slowThawPlan(facts), records: slowRecordsOf(target), nowMs })
    : step({ plan: thawPlan(facts), records: recordsOf(facts), nowMs });
  if (decision.do === 'start') return { timeoutMs: decision.timeoutMs ?? 0, isSlow };
  // A pending thaw is never given up: if the engine allows no attempt now, ask it again.
  const untilMs = decision.do === 'wait' ? decision.untilMs : null;
  return { inMs: untilMs === null ? LOOK_AGAIN_MS : Math.max(0, untilMs - nowMs) };
}

const LOOK_AGAIN_MS = 1_000;

/**
 * Milliseconds that a failing or hanging thaw delays the next thaw of its pod at most (SNAP-I15). Pods thaw in
 * parallel, and the containers of one pod in the reverse order of their freezes.
 */
const THAW_PATIENCE_MS = 2_000;

interface ThawTurn {
  readonly targets: readonly ContainerStatus[];
  /** Index of the target whose turn is computed. */
  readonly index: number;
  readonly releasedAtMs: number;
  readonly nowMs: number;
}

/**
 * Milliseconds that this target waits for the targets that thaw before it; null: it starts at once.
 *
 * Example: containers a, b and c of a pod, frozen in this order, released at 0 s. c starts at 0 s. b starts when c is
 * thawed or has failed, at 2 s at the latest. a starts when both are thawed or have failed, 2 s after the start of b or
 * at 4 s at the latest.
 */
export function waitForTurnMs({ targets, index, releasedAtMs, nowMs }: ThawTurn): number | null {
  const own = targets[index];
  const before = targets
    .slice(index + 1)
    .filter((other) => other.podUID === own?.podUID && isIssued(other));
  const waiting = before.filter((other) => !isOutOfTheWay(other, nowMs));
  if (waiting.length === 0) return null;
  const mostMs = before.length * THAW_PATIENCE_MS;
  const latestMs = releasedAtMs + mostMs - nowMs;
  // If the wait is longer, the wall clock was set back.
  if (latestMs <= 0 || latestMs > mostMs) return null;
  const begunMs = waiting.map(({ postActionStatus }) => {
    const [atMs] = timeOf(postActionStatus?.actionTimestamp);
    return atMs === undefined ? latestMs : atMs + THAW_PATIENCE_MS - nowMs;
  });
  return Math.min(latestMs, Math.max(...begunMs));
}

function isOutOfTheWay(target: ContainerStatus, nowMs: number): boolean {
  if (isThawed(target) || target.postActionStatus?.actionSucceed !== undefined) return true;
  const [atMs] = timeOf(target.postActionStatus?.actionTimestamp);
  return atMs !== undefined && (nowMs - atMs >= THAW_PATIENCE_MS || nowMs < atMs);
}
