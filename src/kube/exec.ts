/**
 * Runs a command in a container. `execInPod` runs it to its end and says how that was; `openExec` holds
 * the session for who wants to talk with the command.
 *
 * Nothing ends a command from outside: when its deadline passes or it is cancelled, we leave, and the
 * command may run on. Servers before 1.30 speak v4 of the protocol and cannot end its input either: a
 * command that reads its input to the end (`cat`) does not end there, so let it count (`head -c 5`). They
 * also keep the end of a command to themselves that leaves much of its input unread (seen with 1.20).
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { KubeConnection } from './client.ts';
import { type ExecResult, notStarted, resultOfEnd, resultOfRefusal } from './exec-result.ts';
import { type ExecInput, feedInput } from './exec-input.ts';
import { type ExecTarget, openContainerStream } from './stream-container.ts';
import { watchCall } from './stream-limits.ts';
import type { StreamSession } from './stream-session.ts';

export interface OpenExecOptions extends ExecTarget {
  /** Exact argv, no shell. */
  readonly command: readonly string[];
  readonly stdin?: boolean;
  /** With a terminal, stderr comes with stdout. */
  readonly tty?: boolean;
  /** Abort closes the session, and calls off one that is not yet open. */
  readonly signal?: CancelSignal;
}

/** Rejects with `ApiError` or `UnreachableError` when no session could be opened. */
export function openExec(
  connection: KubeConnection,
  options: OpenExecOptions,
): Promise<StreamSession> {
  return openContainerStream(connection, { ...options, subresource: 'exec' });
}

export interface ExecOptions extends Omit<OpenExecOptions, 'stdin'> {
  /** Read as fast as the command takes it, then ended where the server can do that. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Milliseconds from now until we leave; absent: no deadline. */
  readonly timeoutMs?: number;
  /** Called in order; the next piece waits for the promise of the one before. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void | Promise<void>;
}

export type ExecOutcome = ExecResult & {
  /** Whether the command was told that its input has ended; null: it was given none. */
  readonly stdinClosed: boolean | null;
};

/** Rejects only with what `onOutput` throws. */
export async function execInPod(
  connection: KubeConnection,
  options: ExecOptions,
): Promise<ExecOutcome> {
  const limits = watchCall(connection.platform.timers, options);
  const input = { closed: options.stdin === undefined ? null : false, sent: false };
  const call: Call = { connection, options, input, signal: limits.signal, session: null };
  try {
    const result = limits.reachedNow
      ? notStarted('NotStarted', 'it was called off before it began')
      : await Promise.race([converse(call), limits.reached.then((cause) => leave(call, cause))]);
    return { ...result, stdinClosed: input.closed };
  } finally {
    limits.release();
  }
}

interface Call {
  readonly connection: KubeConnection;
  readonly options: ExecOptions;
  readonly input: ExecInput;
  /** Aborts at the end of the call, whatever that is, and so closes the session. */
  readonly signal: CancelSignal;
  session: StreamSession | null;
}

async function converse(call: Call): Promise<ExecResult> {
  const { connection, options, signal } = call;
  const { stdin, ...target } = options;
  let session: StreamSession;
  try {
    session = await openExec(connection, { ...target, stdin: stdin !== undefined, signal });
  } catch (error) {
    return resultOfRefusal(error);
  }
  call.session = session;
  const ended = follow(session, options);
  if (stdin === undefined) return ended;
  const failed = feedInput(session, stdin, call.input);
  // Whatever becomes of the input, the end of the command is the end.
  return Promise.race([ended, failed.then((failure) => failure ?? ended)]);
}

async function follow(session: StreamSession, { onOutput }: ExecOptions): Promise<ExecResult> {
  const deliver = async (stream: 'stdout' | 'stderr'): Promise<void> => {
    for await (const bytes of session[stream]) await onOutput?.(stream, bytes);
  };
  await Promise.all([deliver('stdout'), deliver('stderr')]);
  return resultOfEnd(await session.ended);
}

function leave({ session, input, options }: Call, cause: 'timedOut' | 'cancelled'): ExecResult {
  const status = session?.status ?? null;
  // Not all of its output was taken in time, but how it ended is known.
  if (status !== null) return resultOfEnd({ kind: 'status', status });
  const limit =
    cause === 'cancelled' ? 'was cancelled' : `had not ended after ${options.timeoutMs ?? 0} ms`;
  const waits = input.sent && input.closed === false ? `: ${noHalfClose}` : '';
  return { outcome: 'unknown', cause, reason: `${limit}${waits}` };
}

const noHalfClose =
  'this server (v4 of the protocol) cannot tell a command that its input has ended, nor us the end of one that leaves input unread';
