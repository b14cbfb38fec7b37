/**
 * Runs a command in a container. `execInPod` runs it until it exits and returns its result. `openExec` returns the open
 * session, for a caller that exchanges input and output with the command.
 *
 * A command cannot be terminated from outside: at its deadline or on cancellation the session is closed, and the
 * command may still be running. A command that exits and leaves much of its input unread has an unknown outcome: the
 * server breaks the connection before the status arrives.
 */
import { errorText } from '../platform/error-text.ts';
import type { CancelSignal, Timers } from '../platform/platform.ts';
import type { KubeConnection } from './client.ts';
import {
  type ExecResult,
  notStarted,
  resultOfEnd,
  resultOfRefusal,
  type UnknownEnd,
} from './exec-result.ts';
import { commandProtocol } from './stream-frames.ts';
import { openStream } from './stream-open.ts';
import { type StreamSession, startSession } from './stream-session.ts';

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  /** Container in the pod; absent: its only container, or the one that its annotation names. */
  readonly container?: string;
}

export interface OpenExecOptions extends ExecTarget {
  /** Exact argv, no shell. */
  readonly command: readonly string[];
  readonly stdin?: boolean;
  /** Whether to allocate a terminal; stderr is then part of stdout. */
  readonly tty?: boolean;
  /** Abort closes the session, or stops the attempt to open it. */
  readonly signal?: CancelSignal;
}

/** Opens a session. Rejects with `ApiError` or `UnreachableError` if that fails. */
export async function openExec(
  connection: KubeConnection,
  options: OpenExecOptions,
): Promise<StreamSession> {
  const { namespace, pod, container, command, signal, stdin = false, tty = false } = options;
  const socket = await openStream(connection, {
    namespace,
    pod,
    subresource: 'exec',
    query: [
      ...(container === undefined ? [] : ([['container', container]] as const)),
      ...command.map((argument) => ['command', argument] as const),
      ['stdin', String(stdin)],
      ['stdout', 'true'],
      ['stderr', String(!tty)],
      ['tty', String(tty)],
    ],
    protocol: commandProtocol,
    signal,
  });
  return startSession({ socket, timers: connection.platform.timers, signal });
}

export interface ExecOptions extends Omit<OpenExecOptions, 'stdin'> {
  /** The input, read as fast as the command accepts it; after its end the input of the command is closed. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Milliseconds until the session is closed; absent: no deadline. */
  readonly timeoutMs?: number;
  /** Called with the output in order. The next piece waits for the promise of the previous call. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void | Promise<void>;
}

/** Runs a command to its end. Rejects only with an error from `onOutput`. */
export async function execInPod(
  connection: KubeConnection,
  options: ExecOptions,
): Promise<ExecResult> {
  const limits = watchCall(connection.platform.timers, options);
  const call: Call = { connection, options, signal: limits.signal, session: null };
  try {
    if (limits.reachedNow !== null) return notStarted('NotStarted', notBegun[limits.reachedNow]);
    return await Promise.race([converse(call), limits.reached.then((cause) => leave(call, cause))]);
  } finally {
    limits.release();
  }
}

const notBegun = {
  cancelled: 'it was cancelled before it began',
  timedOut: 'its time was over before it began',
} as const;

interface Call {
  readonly connection: KubeConnection;
  readonly options: ExecOptions;
  /** Aborts at the end of the call in any case, and so closes the session. */
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
  const failed = feedInput(session, stdin);
  // The result is that of the command, whether or not all its input was sent.
  return Promise.race([ended, failed.then((failure) => failure ?? ended)]);
}

async function follow(session: StreamSession, { onOutput }: ExecOptions): Promise<ExecResult> {
  const deliver = async (stream: 'stdout' | 'stderr'): Promise<void> => {
    for await (const bytes of session[stream]) await onOutput?.(stream, bytes);
  };
  await Promise.all([deliver('stdout'), deliver('stderr')]);
  return resultOfEnd(await session.ended);
}

function leave({ session, options }: Call, cause: 'timedOut' | 'cancelled'): ExecResult {
  const status = session?.status ?? null;
  // The exit of the command is known; only its output was not read in time.
  if (status !== null) return resultOfEnd({ kind: 'status', status });
  const limit =
    cause === 'cancelled' ? 'was cancelled' : `had not ended after ${options.timeoutMs ?? 0} ms`;
  return { outcome: 'unknown', cause, reason: limit };
}

/**
 * Sends the input as fast as the command accepts it, then closes it. Also resolves with null if the command exits
 * before it has read everything: no command has to read its input.
 */
async function feedInput(
  session: StreamSession,
  stdin: AsyncIterable<Uint8Array>,
): Promise<UnknownEnd | null> {
  try {
    for await (const bytes of stdin) {
      if (!(await session.write(bytes))) return null;
    }
  } catch (error) {
    const message = errorText(error);
    const reason = `its input could not be read: ${message}`;
    return { outcome: 'unknown', cause: 'inputFailed', reason };
  }
  await session.endStdin();
  return null;
}

/** The limits of a call on a stream: its deadline and its cancellation. */
export interface CallLimits {
  /** The limit that was reached before the call began; null: none. */
  readonly reachedNow: 'timedOut' | 'cancelled' | null;
  /** Resolves when the first limit is reached; may never resolve. */
  readonly reached: Promise<'timedOut' | 'cancelled'>;
  /** Aborts when a limit is reached, and on release. */
  readonly signal: AbortSignal;
  /** Removes the timer and the listener. */
  release(): void;
}

function watchCall(
  timers: Timers,
  { timeoutMs, signal }: { readonly timeoutMs?: number; readonly signal?: CancelSignal },
): CallLimits {
  const controller = new AbortController();
  let release = (): void => undefined;
  const reached = new Promise<'timedOut' | 'cancelled'>((resolve) => {
    const stop = (cause: 'timedOut' | 'cancelled'): void => {
      resolve(cause);
      controller.abort();
    };
    const cancel = (): void => {
      stop('cancelled');
    };
    const callOff =
      timeoutMs === undefined
        ? null
        : timers.after(timeoutMs, () => {
            stop('timedOut');
          });
    signal?.addEventListener('abort', cancel);
    release = (): void => {
      callOff?.();
      signal?.removeEventListener('abort', cancel);
      controller.abort();
    };
  });
  const late = timeoutMs !== undefined && timeoutMs <= 0 ? 'timedOut' : null;
  return {
    reachedNow: signal?.aborted === true ? 'cancelled' : late,
    reached,
    signal: controller.signal,
    release: () => {
      release();
    },
  };
}
