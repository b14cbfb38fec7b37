/**
 * Freeze and thaw by a held session. While this process holds it the thaw is a word to the holder; when it
 * does not, the holder has thawed by itself or will, within its window, and is waited for.
 */
import { bareResult } from '../../../engine/bare-result.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { SessionAction } from '../action-kinds.ts';
import type { NotStarted } from '../attempt-kinds.ts';
import type { ContainerStatus, ThawedBy } from '../kinds.ts';
import { DEFAULT_WINDOW_SECONDS } from '../names.ts';
import { openHeldSession } from '../session/held-session.ts';
import type { SessionEnd } from '../session/session.ts';
import { targetSessionId } from './attempt.ts';
import type { Order } from './decide.ts';
import { thawedByEnd } from './notice-ends.ts';
import { HOLDER_SLACK_SECONDS } from './plan.ts';
import { askProbe } from './probe.ts';
import type { AttemptWorld } from './run-attempt.ts';
import { isReplaced, whyNotSame } from './still-there.ts';
import { maskSecretsOf } from './masked-result.ts';

export interface SessionFreeze {
  readonly result: AttemptResult;
  /** null: the helper has begun, or nobody knows. */
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
    // So that it ends in time also where nobody can reach the API server any more (SNAP-R22, SNAP-G14).
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
  /** The thaw as a command of ours, where there is no client. */
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

/** Between two questions whether a holder that we cannot hear has thawed, or has ended, milliseconds. */
const ASK_AGAIN_MS = 1_000;
/** How long it is asked for, milliseconds. */
const ASK_FOR_MS = 5_000;

/**
 * A holder that we cannot hear thaws within its window: that is its promise. Before that a probe cannot tell
 * whether it has. What is not frozen may have been thawed by another, or not be frozen yet; the holder thaws
 * all the same, and by then it would be the freeze of whoever came after us (SNAP-I9). One whose container has been
 * replaced is no more, and is not waited for.
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
  const { probe } = resolved;
  if (probe !== undefined) {
    const untilMs = limitMs + ASK_FOR_MS;
    return askWhetherThawed(order, world, { probe, untilMs, elapsedMs });
  }
  if (session.client === undefined && (await whyNotSame(context.client, target, world)) !== null) {
    // The holder has ended with its container, and what it froze may have outlived both.
    return { result: await world.runThaw(), thawedBy: 'post' };
  }
  const reason = `The session is not ours any more, and its window of ${windowSeconds} s has passed.`;
  return byDeadman(reason, elapsedMs());
}

/** Waits for that long, or until the container of a holder that runs commands has been replaced. */
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
      const reason =
        'The session is not ours any more, its window has passed, and the probe says that nothing is frozen.';
      return byDeadman(reason, elapsedMs());
    }
    if (elapsedMs() >= untilMs || signal.aborted) {
      const reason = `The session is not ours any more, its window has passed, and it is not known to be thawed: ${answer.reason ?? ''}`;
      return { result: bareResult('Failed', reason, elapsedMs()) };
    }
    await sleep(context.platform.timers, ASK_AGAIN_MS, signal);
  }
}

function byDeadman(reason: string, ms: number): SessionThaw {
  return { result: bareResult('Succeeded', reason, ms), thawedBy: 'deadman' };
}
