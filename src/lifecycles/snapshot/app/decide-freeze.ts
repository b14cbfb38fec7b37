/** Decides the freezes: one hook after another, until all have frozen. Pure. */
import { findCondition } from '../../../controller/conditions.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { textStart } from '../../../model/cut-text.ts';
import type { Blocked } from '../hook/facts.ts';
import { isReplaced } from '../cut-mark.ts';
import type { ApplicationSnapshot, ExecutionHook } from '../kinds.ts';
import { DEFAULT_ACTION_TIMEOUT_SECONDS } from '../names.ts';
import type { HookFacts, SnapshotFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import { identify } from './identify.ts';
import { hookFor, isOwnedBy } from './made-objects.ts';
import type { Step } from './step.ts';
import { causeOf, whyNotHeld } from './thaw-order.ts';
import { KIND_NOT_SERVED, missingText } from './read-kinds.ts';

/**
 * Seconds without progress, beyond the timeout of its preAction, after which a hook counts as overdue: no hook
 * controller runs, or another freeze blocks it. The earlier hooks are frozen meanwhile.
 */
export const HOOK_PATIENCE_SECONDS = 120;

/** Decides the steps up to the request for the cut. */
export function decideFreeze(facts: SnapshotFacts): Step {
  const { hooks, nowMs } = facts;
  const broken = whyBroken(facts);
  if (broken !== null) return { kind: 'fail', ...broken };
  const index = hooks.findIndex(({ hook }) => hook?.status?.preActionSucceed !== true);
  const next = hooks[index];
  if (next === undefined) return { kind: 'requestCut' };
  if (next.hook === null) return { kind: 'createHook', index };
  const waits = whyWaiting(next.hook);
  if (waits?.reason === UNPROVEN) return { kind: 'fail', ...waits };
  const leftMs = patienceLeftMs(next.hook, nowMs);
  const reason = `hook ${next.name} freezes`;
  if (leftMs > 0) return { kind: 'waitFor', ms: leftMs, reason };
  const silent = `hook ${next.name} makes no progress: is "lifehook controller" running?`;
  return { kind: 'fail', reason: 'HookOverdue', message: waits?.message ?? silent };
}

/**
 * A snapshot never waits for an unproven thaw: only a user can settle it, and the earlier hooks would stay frozen
 * meanwhile.
 */
const UNPROVEN: Blocked['reason'] = 'ThawUnproven';
const BLOCKS: readonly string[] = [
  UNPROVEN,
  'WaitsForHold',
  'ThawOverdue',
] satisfies Blocked['reason'][];

/** The reason that blocks the first freeze of a hook, from the hook's condition; null: nothing blocks it. */
function whyWaiting(hook: ExecutionHook): Failure | null {
  const frozen = findCondition(hook.status?.conditions ?? [], 'Frozen');
  if (frozen === undefined || !BLOCKS.includes(frozen.reason)) return null;
  const { name } = identify(hook);
  return {
    reason: frozen.reason,
    message: `ExecutionHook ${name}: ${frozen.reason}: ${frozen.message}`,
  };
}

/** The reason why the freeze ended before the cut, or must not continue; null: the freeze is still good. */
export function whyBroken({
  hooks,
  lostClaims,
  missingKinds,
  snapshot,
}: SnapshotFacts): Failure | null {
  if (missingKinds.length > 0) {
    return { reason: KIND_NOT_SERVED, message: missingText(missingKinds) };
  }
  const [claim] = lostClaims;
  if (claim !== undefined) {
    const message = `claim ${claim} was deleted or replaced before its volume was cut`;
    return { reason: 'ClaimGone', message };
  }
  const cutRequested = snapshot.status?.cutRequestedAt !== undefined;
  // Before the cut is requested, the hooks after the last existing one are not created yet.
  const last = cutRequested ? hooks.length : hooks.findLastIndex(({ hook }) => hook !== null);
  for (const [index, facts] of hooks.slice(0, last + 1).entries()) {
    const failure = whyHookBroken(facts, snapshot) ?? whyStrange(facts, snapshot, index);
    if (failure !== null) return failure;
  }
  return null;
}

/**
 * The failure if another client has created a hook of the planned name, with another owner or other actions (SNAP-S9);
 * null: the hook is missing, or is the planned one.
 */
function whyStrange(
  { name, hook }: HookFacts,
  snapshot: ApplicationSnapshot,
  index: number,
): Failure | null {
  const planned = hookFor(snapshot, index);
  if (hook === null || (isOwnedBy(hook, snapshot) && sameJson(hook.spec, planned.spec)))
    return null;
  const message = `ExecutionHook ${name} exists already, and does not belong to this snapshot`;
  return { reason: 'NameTaken', message };
}

function whyHookBroken(
  { name, hook }: HookFacts,
  { status = {} }: ApplicationSnapshot,
): Failure | null {
  if (hook === null) return { reason: 'HookGone', message: `hook ${name} was deleted` };
  const replaced = {
    reason: 'HookGone',
    message: `hook ${name} was replaced by another one after it had frozen`,
  };
  if (isReplaced(status, hook)) return replaced;
  const why = whyNotHeld(hook);
  if (why !== null) return { reason: reasonOf(hook), message: detailOf(hook, why) };
  const isFrozen = status.cutRequestedAt === undefined || hook.status?.preActionSucceed === true;
  const message = `hook ${name} no longer reports that it has frozen: it was replaced, or its status was removed`;
  return isFrozen ? null : { reason: 'HookGone', message };
}

/** The reason of the failure. A freeze that was thawed gets another one than a freeze that never happened. */
function reasonOf({ status }: ExecutionHook): string {
  if (status?.preActionSucceed === false) return 'PreActionFailed';
  return status?.preActionSucceed === true ? 'ThawedBeforeCut' : 'HookReleased';
}

const DETAIL_CHARACTERS_MAX = 512;

/** Adds the error of the first failed container, unless the hook itself gives a cause. */
function detailOf(hook: ExecutionHook, why: string): string {
  const { status } = hook;
  if (causeOf(hook) !== null) return why;
  const failed = status?.containerExecutionHookStatuses?.find(
    ({ preActionStatus }) => preActionStatus?.actionSucceed === false,
  );
  if (failed === undefined) return why;
  const error = failed.preActionStatus?.error?.message ?? 'no error was reported';
  const detail = `${why}: ${failed.podName}/${failed.containerName}: ${error}`;
  return textStart(detail, DETAIL_CHARACTERS_MAX);
}

/** Milliseconds until the hook counts as overdue, counted from the last progress in its status. */
function patienceLeftMs({ metadata, status = {} }: ExecutionHook, nowMs: number): number {
  const attempts = (status.containerExecutionHookStatuses ?? []).flatMap(({ preActionStatus }) => [
    preActionStatus?.actionTimestamp,
    ...(preActionStatus?.attempts ?? []).flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]),
  ]);
  const signs = [metadata?.creationTimestamp, ...attempts]
    .map((time) => Date.parse(time ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  const { actionTimeoutSeconds = DEFAULT_ACTION_TIMEOUT_SECONDS } =
    status.resolved?.preAction ?? {};
  const patienceMs = (actionTimeoutSeconds + HOOK_PATIENCE_SECONDS) * 1_000;
  return (signs.length === 0 ? nowMs : Math.max(...signs)) + patienceMs - nowMs;
}
