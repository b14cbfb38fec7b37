/**
 * The order in which hooks are released: the last frozen is thawed first (SNAP-G18). Each waits for the thaw of the
 * hook that was frozen after it, but only briefly: a hanging thaw must not keep the others frozen (SNAP-I15). Pure.
 */
import { findCondition } from '../../../controller/conditions.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import type { ContainerStatus, ExecutionHook, ReleaseCause } from '../kinds.ts';
import { HOOK_FINALIZER, RELEASE } from '../names.ts';
import type { HookFacts } from './facts.ts';
import { identify } from './identify.ts';

/** Milliseconds that a hook waits for the thaw of the hook that was frozen after it. */
export const THAW_PATIENCE_MS = 2_000;

export type ThawStep =
  | { readonly kind: 'release'; readonly hook: ExecutionHook }
  | { readonly kind: 'wait'; readonly ms: number; readonly reason: string }
  /** Every thaw is requested or not needed. */
  | { readonly kind: 'asked' };

export interface ThawFacts {
  readonly hooks: readonly HookFacts[];
  /** When the snapshot failed: from then on a hook with a failed preAction counts as thawing, by itself (SNAP-G9). */
  readonly failedAt?: string | undefined;
  readonly nowMs: number;
}

/**
 * Example with hooks 0, 1 and 2. At 10 s no thaw is requested: release 2. At 10.4 s, 2 is requested but not thawed:
 * wait 1.6 s. At 10.9 s, 2 is thawed: release 1.
 */
export function nextThaw({ hooks, failedAt, nowMs }: ThawFacts): ThawStep {
  for (const { hook } of hooks.toReversed()) {
    if (hook === null || isSettled(hook)) continue;
    const askedMs = thawAskedAtMs(hook, failedAt);
    if (askedMs === null) return { kind: 'release', hook };
    const sinceMs = nowMs - askedMs;
    // A wall clock before the request was set back and cannot be used: the others do not wait for it.
    if (sinceMs >= 0 && sinceMs < THAW_PATIENCE_MS) {
      const reason = `hook ${hook.metadata?.name ?? ''} thaws`;
      return { kind: 'wait', ms: THAW_PATIENCE_MS - sinceMs, reason };
    }
  }
  return { kind: 'asked' };
}

/** Whether the thaw has an outcome, or none is needed: nothing was frozen, or nothing is left to thaw. */
export function isSettled(hook: ExecutionHook): boolean {
  const { preActionSucceed, postActionSucceed } = hook.status ?? {};
  if (postActionSucceed !== undefined) return true;
  const isHeld = hook.metadata?.finalizers?.includes(HOOK_FINALIZER) === true;
  return !isHeld && (isTerminating(hook) || preActionSucceed === false);
}

/** Milliseconds of the wall clock; null: the thaw was not requested and has not started. */
function thawAskedAtMs(hook: ExecutionHook, failedAt: string | undefined): number | null {
  const { metadata = {}, status = {} } = hook;
  const annotation = metadata.annotations?.[RELEASE];
  const byItself = status.preActionSucceed === false ? failedAt : undefined;
  const asked = [status.release?.at, releaseTime(annotation), metadata.deletionTimestamp];
  const times = [...asked, byItself]
    .map((time) => Date.parse(time ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  if (times.length > 0) return Math.min(...times);
  return annotation === undefined && status.preActionSucceed !== false ? null : 0;
}

/** The time after the "@" in `Cut@2026-01-01T00:00:00.000000Z`. */
export function releaseTime(annotation: string | undefined): string | undefined {
  return annotation?.split('@')[1];
}

/** When we saw the cut, from the write that also requested the thaw; null: there is no such write. */
export function cutReleaseTime(hook: ExecutionHook | null): string | null {
  const annotation = hook?.metadata?.annotations?.[RELEASE];
  return annotation?.startsWith('Cut@') === true ? (releaseTime(annotation) ?? null) : null;
}

/** Why the freeze is not in force; null: it is, as far as this object shows (SNAP-I2). */
export function whyNotHeld(hook: ExecutionHook): string | null {
  const { status = {} } = hook;
  const { name } = identify(hook);
  const cause = causeOf(hook);
  if (cause !== null) return cause;
  if (status.release !== undefined) return `hook ${name} was thawed: ${status.release.cause}`;
  if (isTerminating(hook)) return `hook ${name} was deleted`;
  const annotation = releaseOf(hook);
  if (annotation !== undefined) return `hook ${name} was released: ${annotation}`;
  if (status.preActionSucceed === false) return `the preAction of hook ${name} has failed`;
  const lost = lostTarget(status.containerExecutionHookStatuses ?? []);
  return lost === null ? null : `of hook ${name} ${lost}`;
}

function releaseOf({ metadata }: ExecutionHook): string | undefined {
  return metadata?.annotations?.[RELEASE];
}

function lostTarget(targets: readonly ContainerStatus[]): string | null {
  for (const target of targets) {
    const why = whyTargetNotHeld(target);
    if (why !== null) return `${target.podName}/${target.containerName} ${why}`;
  }
  return null;
}

function whyTargetNotHeld({ thawedBy, freezeLost }: ContainerStatus): string | null {
  if (freezeLost !== undefined) return `did not stay frozen: ${freezeLost.reason}`;
  return thawedBy === undefined ? null : `was thawed: ${thawedBy}`;
}

/** Causes of a release that follow from an earlier failure, which is the real cause. */
const FROM_INSIDE: readonly ReleaseCause[] = ['PreFailed', 'Broken', 'Expired'];
const CHARACTERS_MAX = 512;

/**
 * Example: "ExecutionHook orders-0: TemplateNotFound: There is no …". null: the hook has not failed before its thaw, or
 * a user requested the thaw.
 */
export function causeOf(hook: ExecutionHook): string | null {
  const { conditions = [], release } = hook.status ?? {};
  const failed = findCondition(conditions, 'Failed');
  if (failed?.status !== 'True' || failed.reason === 'PostActionFailed') return null;
  if (release !== undefined && !FROM_INSIDE.includes(release.cause)) return null;
  const { name } = identify(hook);
  return `ExecutionHook ${name}: ${failed.reason}: ${failed.message}`.slice(0, CHARACTERS_MAX);
}
