/**
 * The freeze and the thaw of a target as plans of the engine, which decides every attempt.
 *
 * Before the release the plan has only the preAction. After the release it also has the thaw, as the cleanup step that
 * undoes the preAction.
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

/** SNAP-G16: the pause between attempts is half a second at first, and doubles up to ten seconds. */
const QUICK_RETRY = { limit: 1_000, backoffSeconds: 0.5, maxBackoffSeconds: 10 };
/** SNAP-G15: a failed thaw is retried, with pauses from ten seconds up to five minutes. */
const SLOW_RETRY = { limit: 0, backoffSeconds: 10, maxBackoffSeconds: 300 };
/** For a terminating pod, with short pauses: after the grace period nothing in the pod can thaw it. */
const HURRIED_RETRY = { limit: 1_000, backoffSeconds: 0.5, maxBackoffSeconds: 2 };
/** A slow thaw has no deadline: it ends when it succeeds, when a user marks it as done, or when the pod is deleted. */
const NO_DEADLINE_MS = 8.64e15;
/** Seconds after the window before a missing self-thaw of the session helper counts as overdue. */
export const HOLDER_SLACK_SECONDS = 5;
/** The engine refuses an attempt without any time. */
const LEAST_TIMEOUT_SECONDS = 0.001;

export interface TargetPlanFacts {
  readonly resolved: ResolvedActions;
  readonly target: ContainerStatus;
  readonly release: ExecutionHookStatus['release'];
  /** Time of the hook's expiry, in milliseconds of the wall clock; null: it never expires, or nothing is frozen yet. */
  readonly expiresAtMs: number | null;
  readonly nowMs: number;
}

export interface ThawFacts extends TargetPlanFacts {
  /** Whether the pod is terminating and the thaw runs in that pod. */
  readonly isHurried: boolean;
}

export function freezePlan(facts: TargetPlanFacts): Plan {
  return planOf(facts, [freezeStep(facts)], freezeDeadlineMs(facts));
}

/** The plan contains the freeze too, since the records of the freeze decide whether a thaw is needed. */
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

/**
 * Milliseconds of the wall clock. One deadline applies to all attempts, from the start of the first (SNAP-R15). Nothing
 * is frozen after the expiry (SNAP-G12).
 */
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
 * Milliseconds left of a thaw's own budget, counted from its first attempt (SNAP-G16). A wall clock that was set back
 * does not increase it: a hanging attempt would be waited for all that time.
 */
export function restOfThawMs({ resolved, target, nowMs }: TargetPlanFacts): number {
  const [beganMs = nowMs] = timeOf(target.postActionStatus?.actionTimestamp);
  return Math.min(beganMs, nowMs) + thawSeconds(resolved) * 1_000 - nowMs;
}

/**
 * Seconds that a thaw may take. It includes the dead-man window, so that a session helper without a connection has time
 * to thaw by itself.
 */
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
 * Whether the freeze succeeded but is not in force, so that a retry does not help. If the end of the attempt is
 * unknown, the engine and `records.ts` decide about a retry.
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
