/**
 * Freezes and thaws through a held session.
 *
 * While this process holds the session, a message to the session helper thaws. Otherwise the helper thaws by itself
 * within its window, and this process waits for it.
 */
import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { SessionAction, ContainerStatus, ThawedBy, NotStarted } from '../kinds.ts';
import { DEFAULT_WINDOW_SECONDS } from '../names.ts';
import { openHeldSession } from '../session/held-session.ts';
import type { SessionEnd } from '../session/session.ts';
import { targetSessionId } from './attempts.ts';
import type { Order } from './decide.ts';
import { thawedByEnd } from './notice-ends.ts';
import { HOLDER_SLACK_SECONDS } from './plan.ts';
import { askProbe } from './probe-rounds.ts';
import type { AttemptWorld } from './run-attempt.ts';
import { isReplaced, whyDeleted, whyNotSame } from './still-there.ts';
import { maskSecretsOf } from './masked-result.ts';

export interface SessionFreeze {
  readonly result: AttemptResult;
  /** Why the session helper was certainly not started; null: it was started, or that is not known. */
  readonly notStarted: NotStarted | null;
  readonly holder: NonNullable<ContainerStatus['holder']> | undefined;
}

export async function freezeBySession(
  { target, timeoutMs }: Order,
  world: AttemptWorld,
  action: SessionAction,
): Promise<SessionFreeze> {
  const { context, namespace, restUntilExpiryMs, signal, sessions } = world;
  const longest = restUntilExpiryMs === null ? null : Math.ceil(restUntilExpiryMs / 1_000);
  const { timers } = context.platform;
  const key = { namespace, pod: target.podName, container: target.containerName };
  const mask = maskSecretsOf({ access: context.freezing, key, timeoutMs, timers });
  const opened = await openHeldSession({
    openExec: context.freezing.openExec,
    target: key,
    action,
    timeoutMs,
    // The helper then ends the freeze in time even if the API server cannot be reached (SNAP-R22, SNAP-G14).
    ...(longest === null ? {} : { longestSeconds: Math.max(1, longest) }),
    platform: context.platform,
    random: context.random,
    signal,
  });
  sessions.keep(targetSessionId(world.hookUid, target), opened, world.onSessionEnd);
  const { session, notStarted = null } = opened;
  const holder =
    session === null ? undefined : { timing: session.timing, windowSeconds: session.windowSeconds };
  return { result: await mask(opened.result), notStarted, holder };
}

export interface SessionThaw {
  readonly result: AttemptResult;
  readonly thawedBy?: ThawedBy;
}

interface ThawWorld extends AttemptWorld {
  readonly session: SessionAction;
  /** Runs the thaw as a separate command, for a session without a client. */
  readonly runThaw: () => Promise<AttemptResult>;
}

export async function thawBySession(order: Order, world: ThawWorld): Promise<SessionThaw> {
  const { clock, timers } = world.context.platform;
  const held = world.sessions.held(targetSessionId(world.hookUid, order.target));
  if (held !== null) {
    const startedMs = clock.monotonicMs();
    const { namespace, context } = world;
    const { timeoutMs } = order;
    const { podName: pod, containerName: container } = order.target;
    const key = { namespace, pod, container };
    const mask = maskSecretsOf({ access: context.thawing, key, timeoutMs, timers });
    const end = await held.thaw(timeoutMs);
    const thaw = thawOf(end, clock.monotonicMs() - startedMs, world.session);
    return { ...thaw, result: await mask(thaw.result) };
  }
  if (order.holderIsDead && world.session.client === undefined) {
    return { result: await world.runThaw(), thawedBy: 'post' };
  }
  return waitForHolder(order, world);
}

function thawOf(end: SessionEnd, ms: number, { client }: SessionAction): SessionThaw {
  const thawedBy = thawedByEnd(end, client !== undefined);
  const exitCode = end.kind === 'thawed' ? end.exitCode : null;
  const { output: text = '', outputBytes: totalBytes = 0 } = end.kind === 'thawed' ? end : {};
  const outcome = thawedBy !== null ? 'Succeeded' : end.kind === 'lost' ? 'Unknown' : 'Failed';
  const stdout = { text, totalBytes };
  const result = { ...bareResult(outcome, end.reason, ms), exitCode, stdout };
  return thawedBy === null ? { result } : { result, thawedBy };
}

/** Milliseconds between two checks whether a session helper without a connection has thawed or ended. */
const ASK_AGAIN_MS = 1_000;
/** Milliseconds after the helper's window and its slack in which the target is still probed. */
const ASK_FOR_MS = 5_000;

/**
 * Waits for a session helper without a connection; the helper thaws within its window.
 *
 * A probe cannot prove the thaw earlier. A target that is not frozen may have been thawed by another hook, or may not
 * be frozen yet. The helper would still thaw later, and could then end the freeze of a later hook (SNAP-I9). If the
 * helper runs commands and its container was replaced, the helper has exited, and the wait ends.
 */
async function waitForHolder(order: Order, world: ThawWorld): Promise<SessionThaw> {
  const { target } = order;
  const { context, resolved, session } = world;
  const { clock } = context.platform;
  const startedMs = clock.monotonicMs();
  const windowSeconds =
    target.holder?.windowSeconds ?? session.windowSeconds ?? DEFAULT_WINDOW_SECONDS;
  const limitMs = (windowSeconds + HOLDER_SLACK_SECONDS) * 1_000;
  const elapsedMs = (): number => clock.monotonicMs() - startedMs;
  if (await hasEndedWithin(limitMs, target, world)) {
    return { result: await world.runThaw(), thawedBy: 'post' };
  }
  const deleted = await whyDeleted(context.client, target, world);
  if (deleted !== null) return unproven(deleted, elapsedMs());
  const { probe } = resolved;
  if (probe !== undefined) {
    const untilMs = limitMs + ASK_FOR_MS;
    return askWhetherThawed(order, world, { probe, untilMs, elapsedMs });
  }
  if (session.client === undefined && (await whyNotSame(context.client, target, world)) !== null) {
    // The session helper may have ended with its container, and its freeze may have outlived both.
    return { result: await world.runThaw(), thawedBy: 'post' };
  }
  const reason = `The session no longer belongs to this controller, and its window of ${windowSeconds} s has passed.`;
  return byDeadman(reason, elapsedMs());
}

/** Waits up to `limitMs` milliseconds. Resolves with true if the helper ran commands and its container was replaced. */
async function hasEndedWithin(
  limitMs: number,
  target: ContainerStatus,
  { context, session, signal, ...world }: ThawWorld,
): Promise<boolean> {
  const { clock, timers } = context.platform;
  const untilMs = clock.monotonicMs() + limitMs;
  for (;;) {
    await sleep(timers, Math.min(ASK_AGAIN_MS, untilMs - clock.monotonicMs()), signal);
    if (clock.monotonicMs() >= untilMs || signal.aborted) return false;
    const mayRun = session.client === undefined;
    if (mayRun && (await isReplaced(context.client, target, world))) return true;
  }
}

interface Asking {
  readonly probe: NonNullable<AttemptWorld['resolved']['probe']>;
  readonly untilMs: number;
  readonly elapsedMs: () => number;
}

async function askWhetherThawed(
  { target }: Order,
  world: ThawWorld,
  { probe, untilMs, elapsedMs }: Asking,
): Promise<SessionThaw> {
  const { context, signal } = world;
  const asking = { ...world, access: context.thawing, probe };
  for (;;) {
    const timeoutMs = Math.max(1, untilMs - elapsedMs());
    const answer = await askProbe('AfterCut', target, { ...asking, timeoutMs });
    if (answer.outcome === 'NotFrozen') {
      // A new pod of that name may have answered.
      const deleted = await whyDeleted(context.client, target, world);
      if (deleted !== null) return unproven(deleted, elapsedMs());
      const reason =
        'The session no longer belongs to this controller, its window has passed, and the probe says that nothing is frozen.';
      return byDeadman(reason, elapsedMs());
    }
    if (elapsedMs() >= untilMs || signal.aborted) {
      const reason = `The session no longer belongs to this controller, its window has passed, and it is not known whether the container is thawed: ${answer.reason ?? ''}`;
      return { result: bareResult('Failed', reason, elapsedMs()) };
    }
    await sleep(context.platform.timers, ASK_AGAIN_MS, signal);
  }
}

function unproven(why: string, ms: number): SessionThaw {
  return { result: bareResult('Failed', `The thaw is not proven: ${why}.`, ms) };
}

function byDeadman(reason: string, ms: number): SessionThaw {
  return { result: bareResult('Succeeded', reason, ms), thawedBy: 'deadman' };
}
