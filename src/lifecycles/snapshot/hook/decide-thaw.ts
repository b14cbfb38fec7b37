/**
 * The thaws of a hook, once it is released: of every target whose freeze was issued (SNAP-G9, SNAP-G11), each with a
 * budget of its own (SNAP-G16). One that has used it up has failed, and is tried on slowly until it succeeds,
 * a person takes it on, or its pod is gone (SNAP-G15). Pure.
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
import { canBeThawed, hasThaw, isHeld, isOpen, isUnproven, timeOf } from './targets.ts';
import { waitForTurnMs } from './thaw-order.ts';

/** Where a thaw runs: in the container that is frozen, or in a rescue pod. */
export type ThawPlace = 'container' | 'rescue';

/** What needs no attempt: there is nothing to undo, a person has taken it on, the budget is used up. */
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
    if (takenOnBy !== undefined && !mayHolderThaw(target, known[index], shared)) {
      return takenOn(target, takenOnBy, shared.nowMs);
    }
    const isOver = !canBeThawed(target) || isSpent(thawFacts(target, known[index], shared));
    return isOver ? failedThaw(target, shared.nowMs) : target;
  });
}

/**
 * A person may take on what failed, and not what a holder still does by itself: it would thaw what others
 * freeze there by then (SNAP-I9). One thaw of ours waits for it as long as it may take; that has to have ended.
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
 * rescue: a pod of its own on the same node, where the container cannot thaw: it has ended for good, or it terminates
 * and has failed to. A helper that is held still reports its end.
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

/** One of its attempts has; had it succeeded, none would follow. */
function hasEnded({ attempts = [] }: ActionStatus = {}): boolean {
  return attempts.some(({ outcome }) => outcome !== undefined);
}

function takenOn(target: ContainerStatus, by: string, nowMs: number): ContainerStatus {
  const error = { time: microTimeText(nowMs), message: `The thaw was taken on by ${by}.` };
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
      ? 'Its time is over.'
      : `No thaw is proven: ${thawUnproven.reason}, and the freeze does not end with its container.`;
  const isTold = thawUnproven === undefined || target.rescue !== undefined;
  const known = isTold ? post.error : undefined;
  const error = known ?? { time: microTimeText(nowMs), message };
  return { ...target, postActionStatus: { ...post, actionSucceed: false, error } };
}

export interface DueThaw extends Due {
  readonly isSlow: boolean;
}

export interface NextThaws {
  readonly due: readonly DueThaw[];
  /** When to look again, milliseconds from now; null: when something happens. */
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

/** An attempt of ours could do it, and none is under way. */
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
  // A thaw that is owed is never given up: should the engine have no more attempts, it is asked again.
  const untilMs = decision.do === 'wait' ? decision.untilMs : null;
  return { inMs: untilMs === null ? LOOK_AGAIN_MS : Math.max(0, untilMs - nowMs) };
}

const LOOK_AGAIN_MS = 1_000;
