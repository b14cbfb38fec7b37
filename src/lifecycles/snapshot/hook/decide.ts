/**
 * Decides the next status of a hook, and the attempts that may start once that status is stored. Pure; a reconcile
 * calls it once. `begin-hook.ts` has started the hook before: its actions and targets are in its status.
 *
 *  SNAP-I3  An attempt is ordered only together with its intent in the status.
 *  SNAP-I4  A thaw is ordered only for a target whose freeze was issued.
 *  SNAP-I6  A recorded result (each `actionSucceed`, both summaries, the release) never changes.
 *  SNAP-I7  The summary of the freezes is recorded when every one of them is decided.
 */
import type { ContainerStatus, ExecutionHookStatus, ResolvedActions } from '../kinds.ts';
import { isCutSeen, settleAnswers, targetsToAsk, withCutToken } from './ask-after-cut.ts';
import { type ActionName, attemptsOf } from './attempts.ts';
import { judgeFreezes, nextFreezes, notBegun, type SharedFacts } from './decide-freeze.ts';
import {
  type Release,
  releaseFromInside,
  releaseFromOutside,
  restUntilExpiryMs,
} from './decide-release.ts';
import { judgeThaws, nextThaws, placeOfThaw, type ThawPlace } from './decide-thaw.ts';
import type { HookFacts, TargetFacts } from './facts.ts';
import { isHolderDead, noticeEnds, type NoticingFacts } from './notice-ends.ts';
import { fitStatus } from './fit-status.ts';
import { untilOverdueMs } from './overdue.ts';
import { freezeDeadlineMs, restOfThawMs } from './plan.ts';
import { settleAttempts, withholdFreeze, withIntent } from './settle-attempts.ts';
import { summarize } from './summarize.ts';
import { isOpen, isSettled, outlivesContainer, targetsOf } from './targets.ts';

/** An attempt that may start. */
export interface Order {
  readonly target: ContainerStatus;
  readonly action: ActionName;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly place: ThawPlace;
  /** Milliseconds from the decision. */
  readonly timeoutMs: number;
  /** Whether the session helper is dead, so that it cannot thaw its session itself. */
  readonly holderIsDead: boolean;
  /** Whether this is a retry of a failed thaw, which must not delay other thaws. */
  readonly isSlow: boolean;
}

export interface HookDecision {
  readonly status: ExecutionHookStatus;
  readonly orders: readonly Order[];
  /** Targets whose session is still opening. Cancel the opening now: the helper thaws what it has frozen. */
  readonly calledOff: readonly ContainerStatus[];
  /** Targets to probe before any thaw: is the freeze in force? */
  readonly asks: readonly ContainerStatus[];
  /** Whether everything is undone: then remove the finalizer once the status is written. */
  readonly isSettled: boolean;
  /** Milliseconds until the next reconcile; null: no reconcile is planned. */
  readonly inMs: number | null;
}

export function decide(facts: HookFacts, resolved: ResolvedActions): HookDecision {
  const { status: before = {} } = facts.hook;
  const settling = { nowMs: facts.nowMs, outlives: outlivesContainer(resolved) };
  const settled = eachTarget(before.containerExecutionHookStatuses ?? [], facts, (target, own) =>
    settleAttempts(target, own, settling),
  );
  const outside = releaseFromOutside(facts, resolved);
  const seen = noticeAll(settled, facts, { resolved, endIs: meaningOfEnds(before, outside) });
  const early = sharedFacts(facts, resolved, outside ?? undefined);
  const judged = judgeFreezes(seen, facts, early);
  const release = outside ?? releaseFromInside(judged, facts.nowMs) ?? undefined;
  const shared = { ...early, release };
  const answered = settleAnswers(judged, facts.round);
  const { asks, mustWait } = questionsOf(answered, facts, shared);
  const next =
    release === undefined
      ? continueFreezing(answered, facts, shared)
      : thaw(callOff(answered, facts, shared), facts, { ...shared, mustWait });
  const whole = withCutToken(summarize({ facts, before, release, targets: next.targets }), facts);
  const summary = fitStatus(whole, { hook: facts.hook, before: targetsOf(facts.hook) });
  const isOver = isSettled({ status: summary });
  const orders = [...next.orders, ...intended(next.targets, facts, shared)];
  const calledOff = resolved.preAction.session === undefined ? [] : openedTooLate(facts);
  const againMs = earlier(untilLateMs(summary, facts), untilReadAgainMs(facts));
  const inMs = isOver ? null : earlier(next.inMs, againMs);
  return { status: summary, orders, calledOff, asks, isSettled: isOver, inMs };
}

const READ_AGAIN_MS = 1_000;

/** Milliseconds until pods are read again; null: the server has answered for every pod. */
function untilReadAgainMs({ targets }: HookFacts): number | null {
  return targets.some(({ isUnread }) => isUnread) ? READ_AGAIN_MS : null;
}

/** Milliseconds until the thaws count as overdue; null: no thaw is awaited, or they are overdue already. */
function untilLateMs(status: ExecutionHookStatus, { nowMs }: HookFacts): number | null {
  const ms = untilOverdueMs(status, nowMs);
  return ms === null || ms <= 0 ? null : ms;
}

/** Targets whose freeze runs in a terminating pod: after the grace period nothing in the container can thaw it. */
function openedTooLate({ hook, targets: known }: HookFacts): ContainerStatus[] {
  return targetsOf(hook).filter(({ preActionStatus }, index) => {
    const own = known[index];
    const isUnderWay = isOpen(preActionStatus) && own?.open?.kind === 'underWay';
    return isUnderWay && own.life.kind === 'terminating';
  });
}

interface Questions {
  readonly asks: readonly ContainerStatus[];
  /** Whether thaws must wait for a probe round that starts now or is running. The round ends soon and by itself. */
  readonly mustWait: boolean;
}

function questionsOf(
  targets: readonly ContainerStatus[],
  { hook, round, targets: known, frozenForMs }: HookFacts,
  { resolved, release }: SharedFacts,
): Questions {
  const all = isCutSeen(hook) ? targetsToAsk(targets, resolved) : [];
  // A target whose pod was not read is not probed: its name may belong to another pod now, which may be frozen.
  const open = all.filter((target) => known[targets.indexOf(target)]?.isUnread !== true);
  if (round.kind === 'answered' || open.length === 0) return { asks: [], mustWait: false };
  const restMs = restUntilExpiryMs(frozenForMs, resolved);
  // No round starts after the expiry, and a running round ends with it.
  if (round.kind === 'none' && restMs !== null && restMs <= 0) return { asks: [], mustWait: false };
  // A terminating pod may be deleted within five seconds, and cannot be thawed after that.
  const mayWait = known.every(({ life }) => life.kind !== 'terminating');
  const mustWait = mayWait && release?.cause === 'Cut';
  return { asks: round.kind === 'none' ? open : [], mustWait };
}

/**
 * The meaning of a container's end for its freeze; null: none, because a release is already stored. If the end and the
 * cut are seen in the same reconcile, either may be first, so the freeze is only doubted.
 */
function meaningOfEnds(
  before: ExecutionHookStatus,
  release: Release | null,
): NoticingFacts['endIs'] {
  if (before.release !== undefined) return null;
  return release?.cause === 'Cut' ? 'freezeDoubted' : 'freezeLost';
}

function eachTarget(
  targets: readonly ContainerStatus[],
  facts: HookFacts,
  change: (target: ContainerStatus, own: TargetFacts) => ContainerStatus,
): ContainerStatus[] {
  return targets.map((target, index) => {
    const own = facts.targets[index];
    return own === undefined ? target : change(target, own);
  });
}

function noticeAll(
  targets: readonly ContainerStatus[],
  facts: HookFacts,
  known: Pick<NoticingFacts, 'resolved' | 'endIs'>,
): ContainerStatus[] {
  const noticing = { ...known, nowMs: facts.nowMs };
  return eachTarget(targets, facts, (target, own) => noticeEnds(target, own, noticing));
}

/**
 * Records the outcome of each freeze that is not running, including a freeze that was recorded but not started. After
 * that, the end of the container may count as the thaw.
 */
function callOff(
  targets: readonly ContainerStatus[],
  facts: HookFacts,
  shared: SharedFacts,
): ContainerStatus[] {
  const { resolved, nowMs } = shared;
  const withheld = eachTarget(targets, facts, (target, own) =>
    withholdFreeze(target, own, { nowMs, message: notBegun(shared) }),
  );
  return noticeAll(judgeFreezes(withheld, facts, shared), facts, { resolved, endIs: null });
}

interface Next {
  readonly targets: readonly ContainerStatus[];
  readonly orders: readonly Order[];
  readonly inMs: number | null;
}

function sharedFacts(
  { frozenForMs, nowMs }: HookFacts,
  resolved: ResolvedActions,
  release: SharedFacts['release'],
): SharedFacts {
  const restMs = restUntilExpiryMs(frozenForMs, resolved);
  return { resolved, release, expiresAtMs: restMs === null ? null : nowMs + restMs, nowMs };
}

function continueFreezing(
  targets: readonly ContainerStatus[],
  facts: HookFacts,
  shared: SharedFacts,
): Next {
  const { due, inMs } = nextFreezes(targets, facts, shared);
  const after = [...targets];
  const orders: Order[] = [];
  for (const { index, timeoutMs } of due) {
    const target = targets[index];
    if (target === undefined) continue;
    const intent = withIntent(target.preActionStatus, facts.nowMs);
    const issued = { ...target, preActionStatus: intent };
    after[index] = issued;
    orders.push(orderOf(issued, { action: 'pre', timeoutMs, own: facts.targets[index] }));
  }
  const restMs = restUntilExpiryMs(facts.frozenForMs, shared.resolved);
  const expiryMs = orders.length === 0 ? restMs : (restMs ?? firstExpiryMs(shared));
  return { targets: after, orders, inMs: earlier(inMs, expiryMs) };
}

function firstExpiryMs({ resolved: { expirationSeconds } }: SharedFacts): number | null {
  return expirationSeconds === undefined ? null : expirationSeconds * 1_000;
}

function thaw(
  targets: readonly ContainerStatus[],
  facts: HookFacts,
  shared: SharedFacts & Pick<Questions, 'mustWait'>,
): Next {
  if (shared.mustWait) return { targets, orders: [], inMs: null };
  const judged = judgeThaws(targets, facts, shared);
  const { due, inMs } = nextThaws(judged, facts, shared);
  const after = [...judged];
  const orders: Order[] = [];
  for (const { index, timeoutMs, isSlow } of due) {
    const target = judged[index];
    if (target === undefined) continue;
    const intent = withIntent(target.postActionStatus, facts.nowMs);
    const slowAttempts = (intent.slowAttempts ?? 0) + 1;
    const issued = {
      ...target,
      postActionStatus: isSlow ? { ...intent, slowAttempts } : intent,
    };
    after[index] = issued;
    orders.push(orderOf(issued, { action: 'post', timeoutMs, own: facts.targets[index] }));
  }
  // `inMs` includes the thaws that wait for their turn after one of these orders.
  return { targets: after, orders, inMs };
}

/** Attempts that this process recorded but did not start, since it did not know whether the record was stored. */
function intended(
  targets: readonly ContainerStatus[],
  { hook, targets: known, nowMs }: HookFacts,
  shared: SharedFacts,
): Order[] {
  const before = targetsOf(hook).map(openAction);
  return targets.flatMap((target, index) => {
    const own = known[index];
    if (own?.open?.kind !== 'intended' || own.life.kind === 'gone') return [];
    if (own.isUnread === true) return [];
    const action = before[index] ?? null;
    // After the release, a freeze that was not started is no longer open.
    if (action === null || openAction(target) !== action) return [];
    const timeoutMs = restOf(target, action, { ...shared, nowMs });
    return [orderOf(target, { action, timeoutMs, own })];
  });
}

function openAction({ preActionStatus, postActionStatus }: ContainerStatus): ActionName | null {
  if (isOpen(postActionStatus)) return 'post';
  return isOpen(preActionStatus) ? 'pre' : null;
}

/** Milliseconds left of the timeout that the attempt had when it was recorded. */
function restOf(target: ContainerStatus, action: ActionName, shared: SharedFacts): number {
  const facts = { ...shared, target };
  return action === 'pre' ? freezeDeadlineMs(facts) - shared.nowMs : restOfThawMs(facts);
}

function orderOf(
  target: ContainerStatus,
  of: {
    readonly action: ActionName;
    readonly timeoutMs: number;
    readonly own: TargetFacts | undefined;
  },
): Order {
  const { action, timeoutMs, own } = of;
  const status = action === 'pre' ? target.preActionStatus : target.postActionStatus;
  return {
    target,
    action,
    attempt: attemptsOf(status),
    place: action === 'pre' ? 'container' : placeOfThaw(target, own),
    timeoutMs,
    holderIsDead: own !== undefined && isHolderDead(own),
    isSlow: (status?.slowAttempts ?? 0) > 0,
  };
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
