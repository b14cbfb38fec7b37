/**
 * Attaches to the process of a container that is running. Its status says that the attachment ended, not
 * how the process did: that is in the pod's status.
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { KubeConnection } from './client.ts';
import type { ExecTarget } from './exec.ts';
import { streamProtocols } from './stream-frames.ts';
import { openStream } from './stream-open.ts';
import { type StreamSession, startSession } from './stream-session.ts';

export interface AttachOptions extends ExecTarget {
  /** Only where the container itself has `stdin: true`. */
  readonly stdin?: boolean;
  /** As the container's own `tty`: then stderr comes with stdout. */
  readonly tty?: boolean;
  readonly signal?: CancelSignal;
}

/** Rejects with `ApiError` or `UnreachableError` when it could not be attached. */
export async function attachToContainer(
  connection: KubeConnection,
  options: AttachOptions,
): Promise<StreamSession> {
  const { namespace, pod, container, stdin = false, tty = false, signal } = options;
  const socket = await openStream(connection, {
    namespace,
    pod,
    subresource: 'attach',
    query: [
      ...(container === undefined ? [] : ([['container', container]] as const)),
      ['stdin', String(stdin)],
      ['stdout', 'true'],
      ['stderr', String(!tty)],
      ['tty', String(tty)],
    ],
    protocols: streamProtocols,
    signal,
  });
  return startSession({ socket, timers: connection.platform.timers, signal });
}
