/**
 * The order in which hooks are released: the hook that was frozen last is thawed first (SNAP-G18). Each hook waits only
 * briefly for the thaw of the hook that was frozen after it: a hanging thaw must not keep the others frozen (SNAP-I15).
 * Pure.
 */
import { findCondition } from '../../../controller/conditions.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import { textStart } from '../../../model/cut-text.ts';
import type { ContainerStatus, ExecutionHook, ReleaseCause } from '../kinds.ts';
import { type CutProofs, isProven, tokenIn } from '../cut-mark.ts';
import { CUT_RELEASE, HOOK_FINALIZER, RELEASE } from '../names.ts';
import { restUntilExpiryMs } from '../hook/decide-release.ts';
import { frozenSinceMs, targetsOf } from '../hook/targets.ts';
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
  /** Time at which the snapshot failed. From then on a hook whose preAction failed thaws by itself (SNAP-G9). */
  readonly failedAt?: string | undefined;
  readonly nowMs: number;
}

/**
 * Example with hooks 0, 1 and 2. At 10 s no thaw is requested: release hook 2. At 10.4 s its thaw is requested but not
 * done: wait 1.6 s. At 10.9 s hook 2 is thawed: release hook 1.
 */
export function nextThaw({ hooks, failedAt, nowMs }: ThawFacts): ThawStep {
  for (const { hook } of hooks.toReversed()) {
    if (hook === null || isSettled(hook)) continue;
    const askedMs = thawAskedAtMs(hook, failedAt);
    if (askedMs === null) return { kind: 'release', hook };
    const sinceMs = nowMs - askedMs;
    // If the wall clock is before the request, it was set back and cannot be used: the other hooks do not wait.
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

/** Time of the thaw's request or start, in milliseconds of the wall clock; null: neither has happened. */
function thawAskedAtMs(hook: ExecutionHook, failedAt: string | undefined): number | null {
  const { metadata = {}, status = {} } = hook;
  const { [RELEASE]: byUser, [CUT_RELEASE]: byCut } = metadata.annotations ?? {};
  const byItself = status.preActionSucceed === false ? failedAt : undefined;
  const asked = [status.release?.at, timeIn(byUser), timeIn(byCut), metadata.deletionTimestamp];
  const times = [...asked, byItself]
    .map((time) => Date.parse(time ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  if (times.length > 0) return Math.min(...times);
  const isAsked = byUser !== undefined || byCut !== undefined;
  return !isAsked && status.preActionSucceed !== false ? null : 0;
}

/** The time after the "@" in `Human@2026-01-01T00:00:00.000000Z`. */
export function timeIn(annotation: string | undefined): string | undefined {
  return annotation?.split('@')[1];
}

/** The annotation that requests the thaw after the cut; undefined: Lifehook has not written it (SNAP-S8). */
export function cutReleaseOf(hook: ExecutionHook | null, proofs: CutProofs): string | undefined {
  const mark = hook?.metadata?.annotations?.[CUT_RELEASE];
  return mark !== undefined && isProven(proofs, tokenIn(mark)) ? mark : undefined;
}

/** The reason why the freeze was not in force until the cut was recorded; null: the hook shows no reason (SNAP-I2). */
export function whyNotHeld(hook: ExecutionHook): string | null {
  const why = whyThawed(hook);
  if (why !== null || hook.metadata?.annotations?.[CUT_RELEASE] === undefined) return why;
  const { name } = identify(hook);
  return `hook ${name} was released: another client has set its annotation ${CUT_RELEASE}`;
}

/** Like `whyNotHeld`, but ignores the annotation CUT_RELEASE. */
export function whyThawed(hook: ExecutionHook): string | null {
  const { status = {} } = hook;
  const { name } = identify(hook);
  const cause = causeOf(hook);
  if (cause !== null) return cause;
  if (status.release !== undefined) return `hook ${name} was thawed: ${status.release.cause}`;
  if (isTerminating(hook)) return `hook ${name} was deleted`;
  const annotation = releaseOf(hook);
  if (annotation !== undefined) return `hook ${name} was released: ${annotation}`;
  if (status.preActionSucceed === false) return `the preAction of hook ${name} has failed`;
  return lostTarget(name, status.containerExecutionHookStatuses ?? []);
}

/**
 * The reason why the freeze has expired since its first record; null: it has not. A hook that expires starts its thaw
 * before it records that, so its status may not show it.
 */
export function whyExpired(hook: ExecutionHook, nowMs: number): string | null {
  const { resolved } = hook.status ?? {};
  const sinceMs = frozenSinceMs(targetsOf(hook));
  if (resolved === undefined || sinceMs === null) return null;
  const restMs = restUntilExpiryMs(nowMs - sinceMs, resolved);
  if (restMs === null || restMs > 0) return null;
  return `hook ${identify(hook).name} had expired`;
}

function releaseOf({ metadata }: ExecutionHook): string | undefined {
  return metadata?.annotations?.[RELEASE];
}

function lostTarget(hook: string, targets: readonly ContainerStatus[]): string | null {
  for (const target of targets) {
    const { podName, containerName } = target;
    const why = whyTargetNotHeld(target);
    if (why !== null) return `container ${podName}/${containerName} of hook ${hook} ${why}`;
  }
  return null;
}

function whyTargetNotHeld({ thawedBy, freezeLost }: ContainerStatus): string | null {
  if (freezeLost !== undefined) return `did not stay frozen: ${freezeLost.reason}`;
  return thawedBy === undefined ? null : `was thawed (thawedBy: ${thawedBy})`;
}

/** Causes of a release that follow from an earlier failure. That failure is the real cause. */
const FROM_INSIDE: readonly ReleaseCause[] = ['PreFailed', 'Broken', 'Expired'];
const CHARACTERS_MAX = 512;

/**
 * The reason why a hook has failed. Example: "ExecutionHook orders-0: TemplateNotFound: There is no …". null: the hook
 * has not failed before its thaw, or a user requested the thaw.
 */
export function causeOf(hook: ExecutionHook): string | null {
  const { conditions = [], release } = hook.status ?? {};
  const failed = findCondition(conditions, 'Failed');
  if (failed?.status !== 'True' || failed.reason === 'PostActionFailed') return null;
  if (release !== undefined && !FROM_INSIDE.includes(release.cause)) return null;
  const { name } = identify(hook);
  return textStart(`ExecutionHook ${name}: ${failed.reason}: ${failed.message}`, CHARACTERS_MAX);
}
