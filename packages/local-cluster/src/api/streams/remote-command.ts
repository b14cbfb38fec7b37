/**
 * Serves exec and attach over a web socket (`v4.channel.k8s.io`, `v5…`).
 *
 * At the end the client gets one status with the result. The session ends if the client disconnects.
 */
import type { Status } from '../../../../../src/kube/api-error.ts';
import { channels, closeSignal, frame } from '../../../../../src/kube/stream-frames.ts';
import { type ExecSession, StartError } from '../../../../../src/platform/container-runtime.ts';
import type { MessageSocket } from '../../../../../src/platform/http-transport.ts';
import { exitCodeOf, type ProcessEnd } from '../../../../../src/model/exit-code.ts';
import { internalError, statusOf } from '../status.ts';

/** Maximum number of bytes of output in one frame; longer output is split. */
const MAX_FRAME_BYTES = 32_768;

export interface RemoteCommand {
  readonly socket: MessageSocket;
  readonly session: ExecSession;
  /** Arguments of the exec; null for an attach. An attach reports no exit code: the pod's status has it. */
  readonly argv: readonly string[] | null;
  /** True for each stream that the client requested. Data of other streams is discarded. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export async function serveRemoteCommand(command: RemoteCommand): Promise<void> {
  const { socket, session } = command;
  const closed = closeWith(socket, session);
  const input = takeInput(command);
  try {
    // Awaited together: after a disconnect the output fails at once, but the program may take long to exit.
    const [status] = await Promise.all([
      endOf(command),
      sendOutput(socket, command.stdout ? channels.stdout : null, session.stdout),
      sendOutput(socket, command.stderr ? channels.stderr : null, session.stderr),
    ]);
    await socket.send(frame(channels.status, new TextEncoder().encode(JSON.stringify(status))));
  } catch {
    // The socket is closed: there is no client to report to.
  } finally {
    session.close();
    socket.close();
  }
  await Promise.all([closed, input]);
}

async function closeWith(socket: MessageSocket, session: ExecSession): Promise<void> {
  await socket.closed;
  session.close();
}

async function endOf({ session, argv }: RemoteCommand): Promise<Status> {
  try {
    const end = await session.exited;
    return argv === null ? { status: 'Success' } : statusOfExit(end, argv);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failedStatus(error instanceof StartError ? why : `it broke: ${why}`);
  }
}

/**
 * Sends one output stream of a program to the client. `channel`: null if the client did not request this output. It is
 * read anyway, so that the program does not block.
 */
async function sendOutput(
  socket: MessageSocket,
  channel: number | null,
  output: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const piece of output) {
    if (channel === null) continue;
    for (let start = 0; start < piece.length; start += MAX_FRAME_BYTES) {
      await socket.send(frame(channel, piece.subarray(start, start + MAX_FRAME_BYTES)));
    }
  }
}

/**
 * Passes the client's input on to the program. Never rejects: input that the program does not accept must not end the
 * session.
 */
async function takeInput({ socket, session, stdin }: RemoteCommand): Promise<void> {
  try {
    for await (const message of socket.messages) {
      const [channel] = message;
      const payload = message.subarray(1);
      if (channel === channels.stdin && stdin) await write(session, payload);
      else if (channel === channels.resize) resize(session, payload);
      else if (channel === closeSignal && payload[0] === channels.stdin && stdin)
        session.endStdin();
    }
  } catch {
    // A failure of the socket also settles its `closed`.
  }
}

async function write(session: ExecSession, bytes: Uint8Array): Promise<void> {
  try {
    if (bytes.length > 0) await session.write(bytes);
  } catch {
    // The program has closed its input, or has exited.
  }
}

function resize(session: ExecSession, payload: Uint8Array): void {
  try {
    const size = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    const { Width: columns, Height: rows } = size;
    if (typeof columns === 'number' && typeof rows === 'number') session.resize({ columns, rows });
  } catch {
    // An invalid size is ignored.
  }
}

/** Exit code that is reported if the exit was not observed. */
const UNSEEN = 255;

function statusOfExit(end: ProcessEnd, argv: readonly string[]): Status {
  const code = exitCodeOf(end) ?? UNSEEN;
  if (code === 0) return { status: 'Success' };
  const what = `error executing command [${argv.join(' ')}], exit code ${code}`;
  return {
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${what}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** The result if the command could not be started or its exit could not be read. */
function failedStatus(why: string): Status {
  return statusOf(internalError(`error executing command in container: ${why}`).failure);
}
