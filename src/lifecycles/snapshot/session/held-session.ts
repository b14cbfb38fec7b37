/**
 * Opens a held session: starts the session helper in a container (`holder-script.ts`), waits for the freeze, and then
 * renews the helper's window.
 *
 * If this process exits or the connection fails, the helper thaws by itself.
 */
import { neverCancelled } from '../../../engine/act.ts';
import { describeStop, type Limits, reachedLimit, watchLimits } from '../../../handlers/limits.ts';
import type { ExecTarget, OpenExecOptions } from '../../../kube/exec.ts';
import type { StreamSession } from '../../../kube/stream-session.ts';
import { makeToken } from '../../../model/make-token.ts';
import { makeMasker } from '../../../model/secrets.ts';
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import type { SessionAction } from '../kinds.ts';
import { DEFAULT_WINDOW_SECONDS } from '../names.ts';
import { holderBootstrap, holderScript } from './holder-script.ts';
import { HolderTalk } from './holder-talk.ts';
import * as results from './opening-result.ts';
import type { HeldSession, OpenedSession, SessionEnd } from './session.ts';

export interface HeldSessionOptions {
  readonly openExec: (options: OpenExecOptions) => Promise<StreamSession>;
  readonly target: ExecTarget;
  readonly action: SessionAction;
  /** Milliseconds within which the freeze must be in force. */
  readonly timeoutMs: number;
  /** Seconds after which the helper thaws even if its window is renewed; absent: never. */
  readonly longestSeconds?: number;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Values that are masked in stored and reported output. */
  readonly secrets?: readonly string[];
  /** Receives live output of the application, masked and limited. */
  readonly onOutput?: (text: string) => void;
  /** Cancels the opening; an open session continues. */
  readonly signal?: CancelSignal;
}

/**
 * Milliseconds that the helper gets after the deadline to undo a late freeze. It kills a hanging command after 2 s, and
 * begins the thaw after 4 s at the latest. It kills a client after 3 s.
 */
export const undoWaitMs = 8_000;

/**
 * Seconds after the window that an answer is waited for. A helper that can send but not receive thaws first and reports
 * that, which explains more than a timeout.
 */
const ANSWER_SLACK_SECONDS = 2;

/**
 * Opens a held session. Never rejects because of a container, a connection or a server: such a failure is in the
 * result.
 */
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
  // Aborting also closes a stream that opens too late.
  if (opened.kind === 'stopped') calledOff.abort();
  return opened;
}

function beginTalk(
  stream: StreamSession,
  { action, random, secrets = [], onOutput, platform }: HeldSessionOptions,
  elapsedMs: () => number,
): HolderTalk {
  // With the nonce, no process in the container can forge a report.
  const nonce = makeToken(random);
  const windowSeconds = windowOf(action);
  const readyLine = action.client === undefined ? null : (action.ready ?? '');
  const masker = makeMasker(secrets);
  let callOffSilence = (): void => undefined;
  // A connection that breaks silently reports no end. But from the freeze on, the helper answers each renewal.
  const onReport = (): void => {
    callOffSilence();
    callOffSilence = platform.timers.after((windowSeconds + ANSWER_SLACK_SECONDS) * 1_000, () => {
      const { frozen, cause } = talk.facts;
      if (frozen && cause === null && !talk.thawRequested) talk.giveUp();
    });
  };
  const talking = { stream, nonce, windowSeconds, readyLine, masker, onOutput, onReport };
  const talk = new HolderTalk(talking);
  void talk.frozen.then(onReport);
  void stream.write(new TextEncoder().encode(holderInput(nonce)));
  // Three renewals in each window, so that two may be late.
  const everyMs = (windowSeconds * 1_000) / 3;
  let callOff = (): void => undefined;
  const renew = (): void => {
    // While it thaws, the helper counts the seconds without a renewal, to kill a process that hangs. So it gets none.
    if (talk.facts.cause !== null || talk.thawRequested) return;
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

/**
 * Waits for the thaw, and then closes the connection in any case. If the thaw was late, the end of the input requests
 * it again.
 */
async function askAndWait(
  talk: HolderTalk,
  word: 'thaw' | 'abort',
  { ms, timers }: { readonly ms: number } & Pick<Platform, 'timers'>,
): Promise<SessionEnd> {
  void talk.askToThaw(word);
  let callOff = (): void => undefined;
  const late = new Promise<SessionEnd>((resolve) => {
    callOff = timers.after(ms, () => {
      const reason = `The end of the thaw was not seen within ${Math.round(ms)} ms; the session helper continues it.`;
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

/** Command (argv) of the session helper. The actions are passed as arguments, and its script as input. */
export function holderArguments(
  { client, freeze, thaw }: SessionAction,
  limits: { readonly windowSeconds: number; readonly longestSeconds?: number | undefined },
): readonly string[] {
  const { windowSeconds, longestSeconds = 0 } = limits;
  const shell = ['sh', '-c', holderBootstrap, 'lifehook-holder'];
  const times = [String(Math.ceil(windowSeconds)), String(Math.ceil(longestSeconds))];
  return client === undefined
    ? [...shell, 'commands', ...times, String(freeze.length), ...freeze, ...thaw]
    : [...shell, 'client', ...times, freeze.join('\n'), thaw.join('\n'), ...client];
}

/** The first input of the helper: the nonce of its reports, and its script up to the line that repeats the nonce. */
export function holderInput(nonce: string): string {
  return `${nonce}\n${holderScript}\n${nonce}\n`;
}
