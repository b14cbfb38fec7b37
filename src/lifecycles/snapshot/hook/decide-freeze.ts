/**
 * Decides the freezes of a hook: pods in parallel, the containers of one pod in sequence (SNAP-G18). Pure.
 *
 * After the first failure no further freeze starts, and the running ones are waited for (SNAP-G8).
 */
import { type Decision, step } from '../../../engine/step.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import type { ContainerStatus } from '../kinds.ts';
import type { HookFacts, TargetFacts } from './facts.ts';
import { shortReason } from './kept-output.ts';
import { freezePlan, type TargetPlanFacts } from './plan.ts';
import { recordsOf } from './records.ts';
import { errorOf, isIssued, isOpen, preOutcome } from './targets.ts';

/** The facts that all targets of a hook share. */
export type SharedFacts = Omit<TargetPlanFacts, 'target'>;

/** Records the outcome of every freeze whose outcome is certain now. */
export function judgeFreezes(
  targets: readonly ContainerStatus[],
  facts: HookFacts,
  shared: SharedFacts,
): ContainerStatus[] {
  return targets.map((target, index) => {
    const own = facts.targets[index];
    return own === undefined ? target : judgeFreeze(target, own, shared);
  });
}

function judgeFreeze(
  target: ContainerStatus,
  { life }: TargetFacts,
  shared: SharedFacts,
): ContainerStatus {
  const { preActionStatus: pre } = target;
  if (preOutcome(target) !== undefined || isOpen(pre)) return target;
  if (life.kind !== 'same') return failed(target, endText(target, life.reason), shared.nowMs);
  const decision = decideFreeze(target, shared);
  if (decision.do !== 'settle') return target;
  if (decision.outcome === 'Succeeded') {
    return { ...target, preActionStatus: { ...pre, actionSucceed: true } };
  }
  const message = isIssued(target) ? errorOf(pre) : notBegun(shared);
  return failed(target, message === '' ? decision.reason : message, shared.nowMs);
}

function decideFreeze(target: ContainerStatus, shared: SharedFacts): Decision {
  const facts = { ...shared, target };
  return step({ plan: freezePlan(facts), records: recordsOf(facts), nowMs: shared.nowMs });
}

export function notBegun({ release }: Pick<SharedFacts, 'release'>): string {
  return `The preAction was not started: the thaw was requested before (${release?.cause ?? 'Deleted'}).`;
}

function failed(target: ContainerStatus, message: string, nowMs: number): ContainerStatus {
  const error = { time: microTimeText(nowMs), message };
  return { ...target, preActionStatus: { ...target.preActionStatus, actionSucceed: false, error } };
}

/** Appends an earlier error to the reason, since it explains more than the end of the target does. */
function endText({ preActionStatus }: ContainerStatus, reason: string): string {
  const before = errorOf(preActionStatus);
  return before === ''
    ? sentence(reason)
    : shortReason(`${sentence(reason)} Before that: ${before}`);
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

export interface Due {
  readonly index: number;
  readonly timeoutMs: number;
}

export interface NextFreezes {
  readonly due: readonly Due[];
  /** Milliseconds until the next reconcile; null: no reconcile is planned. */
  readonly inMs: number | null;
}

/** Milliseconds. A waiting hook is woken when it may continue; this covers a wake-up that was missed. */
const LOOK_AGAIN_MS = 15_000;

/** Selects the freezes to start. Call it only before the release: nothing is frozen after it. */
export function nextFreezes(
  targets: readonly ContainerStatus[],
  { nowMs, blocked, targets: known }: HookFacts,
  shared: SharedFacts,
): NextFreezes {
  if (blocked !== null && !targets.some(isIssued)) return { due: [], inMs: LOOK_AGAIN_MS };
  const due: Due[] = [];
  const waits: number[] = [];
  const mayBeSent = turns(targets).filter(({ index }) => known[index]?.isUnread !== true);
  for (const { target, index } of mayBeSent) {
    const decision = decideFreeze(target, shared);
    if (decision.do === 'start') due.push({ index, timeoutMs: decision.timeoutMs ?? 0 });
    if (decision.do === 'wait' && decision.untilMs !== null) waits.push(decision.untilMs - nowMs);
  }
  return { due, inMs: waits.length === 0 ? null : Math.min(...waits) };
}

interface Turn {
  readonly index: number;
  readonly target: ContainerStatus;
}

/** The first undecided container of each pod. A pod with a running attempt has no turn. */
function turns(targets: readonly ContainerStatus[]): Turn[] {
  const first = new Map<string, Turn>();
  for (const [index, target] of targets.entries()) {
    const isFirst = preOutcome(target) === undefined && !first.has(target.podUID);
    if (isFirst) first.set(target.podUID, { index, target });
  }
  return [...first.values()].filter(({ target }) => !isOpen(target.preActionStatus));
}
