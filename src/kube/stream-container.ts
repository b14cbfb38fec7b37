/** Opens a session with a container, which `exec` and `attach` ask for alike. */
import type { CancelSignal } from '../platform/platform.ts';
import type { KubeConnection } from './client.ts';
import { commandProtocol } from './stream-frames.ts';
import { openStream } from './stream-open.ts';
import { type StreamSession, startSession } from './stream-session.ts';

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  /** Absent: the pod's only container, or the one that its annotation names. */
  readonly container?: string;
}

export interface ContainerStream extends ExecTarget {
  readonly subresource: 'exec' | 'attach';
  /** Of exec: the exact argv. */
  readonly command?: readonly string[];
  readonly stdin?: boolean;
  /** With a terminal, stderr comes with stdout. */
  readonly tty?: boolean;
  /** Abort closes the session, and calls off one that is not yet open. */
  readonly signal?: CancelSignal;
}

/** Rejects with `ApiError` or `UnreachableError` when no session could be opened. */
export async function openContainerStream(
  connection: KubeConnection,
  stream: ContainerStream,
): Promise<StreamSession> {
  const { namespace, pod, subresource, container, command = [], signal } = stream;
  const { stdin = false, tty = false } = stream;
  const socket = await openStream(connection, {
    namespace,
    pod,
    subresource,
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
