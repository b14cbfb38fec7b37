/**
 * A target's freeze and thaw as plans of the engine, which decides about every attempt. Before the release
 * the plan is the preAction alone; from then on it has the thaw as the cleanup step that undoes it.
 */
import type { Plan, PlannedStep, Step } from '../../../engine/plan.ts';
import { makePlan } from '../../../engine/plan.ts';
import type { HookPolicy } from '../../../model/hook.ts';
import type { ContainerStatus, ExecutionHookStatus, ResolvedActions } from '../kinds.ts';
import { DEFAULT_WINDOW_SECONDS } from '../names.ts';
import { isDenied } from './kept-attempts.ts';
import { hasThaw, timeOf } from './targets.ts';

export const FREEZE = 'preAction';
export const THAW = 'postAction';

/** SNAP-G16: half a second, doubled up to ten. */
const QUICK_RETRY = { limit: 1_000, backoffSeconds: 0.5, maxBackoffSeconds: 10 };
/** SNAP-G15: a thaw that has failed is tried on, ever more slowly. */
const SLOW_RETRY = { limit: 0, backoffSeconds: 10, maxBackoffSeconds: 300 };
/** While its pod terminates: nothing in the pod can thaw it when the grace period is over. */
const HURRIED_RETRY = { limit: 1_000, backoffSeconds: 0.5, maxBackoffSeconds: 2 };
/** Nothing ends the slow thaw but its success, a person, or the end of the pod. */
const NO_DEADLINE_MS = 8.64e15;
/** What a holder may be late with its own thaw, past its window, seconds. */
export const HOLDER_SLACK_SECONDS = 5;
/** The engine takes no attempt without any time at all. */
const LEAST_TIMEOUT_SECONDS = 0.001;

export interface TargetPlanFacts {
  readonly resolved: ResolvedActions;
  readonly target: ContainerStatus;
  readonly release: ExecutionHookStatus['release'];
  /** When the hook expires, wall-clock milliseconds; null: never, or nothing is frozen yet. */
  readonly expiresAtMs: number | null;
  readonly nowMs: number;
}

export interface ThawFacts extends TargetPlanFacts {
  /** Its pod terminates, and it is to be thawed there. */
  readonly isHurried: boolean;
}

export function freezePlan(facts: TargetPlanFacts): Plan {
  return planOf(facts, [freezeStep(facts)], freezeDeadlineMs(facts));
}

/** With the freeze, since whether anything is owed follows from that. */
export function thawPlan(facts: ThawFacts): Plan {
  const { resolved } = facts;
  const steps = [freezeStep(facts)];
  const timeoutSeconds = Math.max(LEAST_TIMEOUT_SECONDS, restOfThawMs(facts) / 1_000);
  if (hasThaw(resolved)) {
    const retry = facts.isHurried ? HURRIED_RETRY : QUICK_RETRY;
    const policy = { timeoutSeconds, retry, failurePolicy: 'Abort' } as const;
    steps.push({ kind: 'cleanup', ...hookOf(THAW, policy), undoes: FREEZE });
  }
  return planOf(facts, steps, freezeDeadlineMs(facts));
}

export function slowThawPlan(facts: ThawFacts): Plan {
  const timeoutSeconds = thawSeconds(facts.resolved);
  const retry = facts.isHurried ? { ...HURRIED_RETRY, limit: SLOW_RETRY.limit } : SLOW_RETRY;
  const hook = hookOf(THAW, { timeoutSeconds, retry, failurePolicy: 'Retry' });
  return planOf(facts, [{ kind: 'cleanup', ...hook }], NO_DEADLINE_MS);
}

/** All attempts together, from the first on (SNAP-R15); what expires is not frozen any longer (SNAP-G12). */
export function freezeDeadlineMs({
  resolved,
  target,
  expiresAtMs,
  nowMs,
}: TargetPlanFacts): number {
  const [beganMs = nowMs] = timeOf(target.preActionStatus?.actionTimestamp);
  const ownMs = beganMs + resolved.preAction.actionTimeoutSeconds * 1_000;
  const { expirationSeconds } = resolved;
  const firstMs = expirationSeconds === undefined ? null : nowMs + expirationSeconds * 1_000;
  return Math.min(ownMs, expiresAtMs ?? firstMs ?? ownMs);
}

/**
 * What is left of a thaw's own budget, counted from its own first attempt (SNAP-G16), milliseconds. A wall clock
 * that was set back does not make it more: an attempt that hangs would be waited for all that time.
 */
export function restOfThawMs({ resolved, target, nowMs }: TargetPlanFacts): number {
  const [beganMs = nowMs] = timeOf(target.postActionStatus?.actionTimestamp);
  return Math.min(beganMs, nowMs) + thawSeconds(resolved) * 1_000 - nowMs;
}

/** A session that we have lost thaws within its window: it is given the time for that. */
export function thawSeconds({ preAction, postAction }: ResolvedActions): number {
  const own = (postAction ?? preAction).actionTimeoutSeconds;
  if (preAction.session === undefined) return own;
  const window = preAction.session.windowSeconds ?? DEFAULT_WINDOW_SECONDS;
  return Math.max(own, window + HOLDER_SLACK_SECONDS);
}

function freezeStep({ resolved: { preAction }, target }: TargetPlanFacts): Step {
  const isFinal = isNotInForce(target) || isDenied(target.preActionStatus);
  const retry = isFinal ? { ...QUICK_RETRY, limit: 0 } : QUICK_RETRY;
  const timeoutSeconds = preAction.actionTimeoutSeconds;
  return { kind: 'main', ...hookOf(FREEZE, { timeoutSeconds, retry, failurePolicy: 'Abort' }) };
}

/**
 * A freeze that did what it does, and is not in force: to make it again would not help. (Whether one that
 * nobody saw end is made again the engine knows, and `records.ts` where that does no harm.)
 */
function isNotInForce({ preActionStatus, probes }: ContainerStatus): boolean {
  const last = preActionStatus?.attempts?.at(-1);
  const probe = probes?.at(-1);
  if (last?.outcome !== 'Failed' || probe?.outcome !== 'NotFrozen') return false;
  return probe.at >= last.startedAt;
}

function planOf({ target }: TargetPlanFacts, steps: readonly Step[], deadlineAtMs: number): Plan {
  const title = `container ${target.containerName} of pod ${target.podName}`;
  return makePlan({ runId: target.podUID, title, steps, deadlineAtMs });
}

function hookOf(name: string, policy: HookPolicy): PlannedStep {
  return { name, policy, source: { kind: 'object', object: name } };
}
