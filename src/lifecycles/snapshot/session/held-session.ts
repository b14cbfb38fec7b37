/**
 * A freeze that is held in a container: opens the holder there (`holder-script.ts`), waits until it is
 * frozen, and says from then on that we are alive. If we are not, or cannot be heard, it thaws by itself.
 */
import { neverCancelled } from '../../../engine/act.ts';
import { describeStop, type Limits, reachedLimit, watchLimits } from '../../../handlers/limits.ts';
import type { ExecTarget, OpenExecOptions } from '../../../kube/exec.ts';
import type { StreamSession } from '../../../kube/stream-session.ts';
import { makeMasker } from '../../../model/secrets.ts';
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import type { SessionAction } from '../action-kinds.ts';
import { DEFAULT_WINDOW_SECONDS } from '../names.ts';
import { holderArguments, holderInput, makeNonce } from './holder-command.ts';
import { HolderTalk } from './holder-talk.ts';
import * as results from './opening-result.ts';
import type { HeldSession, OpenedSession, SessionEnd } from './session.ts';

export interface HeldSessionOptions {
  readonly openExec: (options: OpenExecOptions) => Promise<StreamSession>;
  readonly target: ExecTarget;
  readonly action: SessionAction;
  /** Until it has to be frozen, milliseconds from now. */
  readonly timeoutMs: number;
  /** After which the holder thaws though it still hears of us, seconds from now; absent: never. */
  readonly longestSeconds?: number;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Masked in what is kept and told of the output. */
  readonly secrets?: readonly string[];
  /** Live output of the application, masked and bounded. */
  readonly onOutput?: (text: string) => void;
  /** Calls off the opening; a session that is open goes on. */
  readonly signal?: CancelSignal;
}

/**
 * How long is waited after the deadline for the holder to have undone a freeze that did not come: it gives a
 * command that hangs 4 s, and a client 3 s, before it ends it.
 */
export const undoWaitMs = 8_000;

/**
 * How long past the window an answer is waited for: a holder that cannot hear us, and can be heard, thaws first
 * and tells it, which says more.
 */
const ANSWER_SLACK_SECONDS = 2;

/** Never rejects for what a container, a connection or a server does: a failure is a result. */
export async function openHeldSession(options: HeldSessionOptions): Promise<OpenedSession> {
  const { timeoutMs, signal = neverCancelled, platform } = options;
  const limits: Limits = { timeoutMs, signal };
  const tooLate = reachedLimit(limits);
  if (tooLate !== null) return results.tooLateResult(tooLate, describeStop(tooLate, limits), 0);
  const startedMs = platform.clock.monotonicMs();
  const elapsedMs = (): number => platform.clock.monotonicMs() - startedMs;
  const watch = watchLimits(limits, platform.timers);
  try {
    const opened = await openStream(options, watch.reached);
    if (opened.kind === 'rejected') {
      const { namespace } = options.target;
      return results.refusedResult(opened.error, { namespace, durationMs: elapsedMs() });
    }
    if (opened.kind === 'stopped') {
      const why = describeStop(opened.cause, limits);
      return results.tooLateResult(opened.cause, why, elapsedMs());
    }
    const talk = beginTalk(opened.stream, options, elapsedMs);
    const first = await Promise.race([
      talk.frozen.then(() => ({ kind: 'frozen' }) as const),
      talk.ended.then((end) => ({ kind: 'ended', end }) as const),
      watch.reached.then((cause) => ({ kind: 'stopped', cause }) as const),
    ]);
    if (first.kind === 'stopped') {
      const undone = await askAndWait(talk, 'abort', { ms: undoWaitMs, ...platform });
      const opening = { facts: talk.facts, output: talk.takeOutput(), durationMs: elapsedMs() };
      const why = describeStop(first.cause, limits);
      return results.stoppedResult(opening, first.cause, { why, undone });
    }
    if (first.kind === 'ended') await talk.allOutput(platform.timers);
    const opening = { facts: talk.facts, output: talk.takeOutput(), durationMs: elapsedMs() };
    if (first.kind === 'ended') {
      return results.brokenResult(opening, first.end, talk.connection);
    }
    return { result: results.frozenResult(opening), session: heldSession(talk, options) };
  } finally {
    watch.release();
  }
}

type Opened =
  | { readonly kind: 'open'; readonly stream: StreamSession }
  | { readonly kind: 'rejected'; readonly error: unknown }
  | { readonly kind: 'stopped'; readonly cause: 'TimedOut' | 'Cancelled' };

async function openStream(
  { openExec, target, action, longestSeconds }: HeldSessionOptions,
  reached: Promise<'TimedOut' | 'Cancelled'>,
): Promise<Opened> {
  const calledOff = new AbortController();
  const windowSeconds = windowOf(action);
  const command = holderArguments(action, { windowSeconds, longestSeconds });
  const opening = openExec({ ...target, command, stdin: true, signal: calledOff.signal }).then(
    (stream): Opened => ({ kind: 'open', stream }),
    (error: unknown): Opened => ({ kind: 'rejected', error }),
  );
  const stopped = reached.then((cause): Opened => ({ kind: 'stopped', cause }));
  const opened = await Promise.race([opening, stopped]);
  // Also closes one that opens too late.
  if (opened.kind === 'stopped') calledOff.abort();
  return opened;
}

function beginTalk(
  stream: StreamSession,
  { action, random, secrets = [], onOutput, platform }: HeldSessionOptions,
  elapsedMs: () => number,
): HolderTalk {
  const nonce = makeNonce(random);
  const windowSeconds = windowOf(action);
  const readyLine = action.client === undefined ? null : (action.ready ?? '');
  const masker = makeMasker(secrets);
  let callOffSilence = (): void => undefined;
  // A connection that has gone silent tells nobody: from the freeze on each renewal is answered.
  const onReport = (): void => {
    callOffSilence();
    callOffSilence = platform.timers.after((windowSeconds + ANSWER_SLACK_SECONDS) * 1_000, () => {
      const { frozen, cause } = talk.facts;
      if (frozen && cause === null && !talk.toldToThaw) talk.giveUp();
    });
  };
  const talking = { stream, nonce, windowSeconds, readyLine, masker, onOutput, onReport };
  const talk = new HolderTalk(talking);
  void talk.frozen.then(onReport);
  void stream.write(new TextEncoder().encode(holderInput(nonce)));
  // Three signs of life within a window: two may be late.
  const everyMs = (windowSeconds * 1_000) / 3;
  let callOff = (): void => undefined;
  const renew = (): void => {
    // Once it thaws it counts the seconds of our silence, by which it ends what hangs.
    if (talk.facts.cause !== null || talk.toldToThaw) return;
    callOff = platform.timers.after(everyMs, renew);
    void talk.send(`renew ${Math.floor(elapsedMs() / 1_000)}`);
  };
  callOff = platform.timers.after(everyMs, renew);
  void leaveAtEnd(talk, platform.timers, () => {
    callOff();
    callOffSilence();
  });
  return talk;
}

async function leaveAtEnd(
  talk: HolderTalk,
  timers: Platform['timers'],
  stopRenewing: () => void,
): Promise<void> {
  await talk.ended;
  stopRenewing();
  await talk.allOutput(timers);
  talk.close();
}

function heldSession(talk: HolderTalk, { action, platform }: HeldSessionOptions): HeldSession {
  return {
    timing: talk.facts.timing ?? 'eof',
    windowSeconds: windowOf(action),
    ended: talk.ended,
    thaw: async (timeoutMs) => {
      const end = await askAndWait(talk, 'thaw', { ms: timeoutMs, ...platform });
      const { text: output, totalBytes: outputBytes } = talk.takeOutput();
      return end.kind === 'thawed' && output !== '' ? { ...end, output, outputBytes } : end;
    },
  };
}

/** Leaves in any case: if its end is not seen in time, the end of its input tells the holder once more. */
async function askAndWait(
  talk: HolderTalk,
  word: 'thaw' | 'abort',
  { ms, timers }: { readonly ms: number } & Pick<Platform, 'timers'>,
): Promise<SessionEnd> {
  void talk.askToThaw(word);
  let callOff = (): void => undefined;
  const late = new Promise<SessionEnd>((resolve) => {
    callOff = timers.after(ms, () => {
      const reason = `The end of the thaw was not seen within ${Math.round(ms)} ms; the holder goes on with it.`;
      resolve({ kind: 'lost', reason });
    });
  });
  const end = await Promise.race([talk.ended, late]);
  callOff();
  if (end.kind === 'thawed') await talk.allOutput(timers);
  talk.close();
  return end;
}

function windowOf({ windowSeconds = DEFAULT_WINDOW_SECONDS }: SessionAction): number {
  return windowSeconds;
}
