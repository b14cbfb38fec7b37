/**
 * The server's side of commands and attachments over a web socket (`v4.channel.k8s.io`, `v5…`): frames
 * in, frames out, and at the end one status that says how it went. A caller that is gone ends the session.
 */
import type { Status } from '../../../../../src/kube/api-error.ts';
import { channels, closeSignal, frame } from '../../../../../src/kube/stream-frames.ts';
import { type ExecSession, StartError } from '../../../../../src/platform/container-runtime.ts';
import type { MessageSocket } from '../../../../../src/platform/http-transport.ts';
import { exitCodeOf, type ProcessEnd } from '../../../../../src/model/exit-code.ts';
import { internalError, statusOf } from '../status.ts';

/** Bytes of one frame; longer pieces of output are cut. */
const MAX_FRAME_BYTES = 32_768;

export interface RemoteCommand {
  readonly socket: MessageSocket;
  readonly session: ExecSession;
  /** null: an attachment, of which only the end is told: with what code it ended, the pod's status says. */
  readonly argv: readonly string[] | null;
  /** What the caller asked for; what it did not is thrown away. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export async function serveRemoteCommand(command: RemoteCommand): Promise<void> {
  const { socket, session } = command;
  const gone = closeWith(socket, session);
  const input = takeInput(command);
  try {
    const outputs = [
      sendOutput(socket, command.stdout ? channels.stdout : null, session.stdout),
      sendOutput(socket, command.stderr ? channels.stderr : null, session.stderr),
    ];
    const status = await endOf(command);
    await Promise.all(outputs);
    await socket.send(frame(channels.status, new TextEncoder().encode(JSON.stringify(status))));
  } catch {
    // The socket is gone, and nobody is left to be told.
  } finally {
    session.close();
    socket.close();
  }
  await Promise.all([gone, input]);
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

/** null: nobody wants it, but it has to go somewhere. */
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

/** Never rejects: a program that does not take its input any more is no reason to end. */
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
    // The socket broke, which its `closed` tells as well.
  }
}

async function write(session: ExecSession, bytes: Uint8Array): Promise<void> {
  try {
    if (bytes.length > 0) await session.write(bytes);
  } catch {
    // The program has closed its input, or ended.
  }
}

function resize(session: ExecSession, payload: Uint8Array): void {
  try {
    const size = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    const { Width: columns, Height: rows } = size;
    if (typeof columns === 'number' && typeof rows === 'number') session.resize({ columns, rows });
  } catch {
    // No size, no change.
  }
}

/** How a command ended, as the status channel tells it. */

/** What is told of an end that nobody saw. */
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

/** It never ran. */
function failedStatus(why: string): Status {
  return statusOf(internalError(`error executing command in container: ${why}`).failure);
}
