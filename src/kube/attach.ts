/**
 * Attaches to the process of a container that is running. Its status says that the attachment ended, not
 * how the process did: that is in the pod's status.
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { KubeConnection } from './client.ts';
import { type ExecTarget, openContainerStream } from './stream-container.ts';
import type { StreamSession } from './stream-session.ts';

export interface AttachOptions extends ExecTarget {
  /** Only where the container itself has `stdin: true`. */
  readonly stdin?: boolean;
  /** As the container's own `tty`: then stderr comes with stdout. */
  readonly tty?: boolean;
  readonly signal?: CancelSignal;
}

/** Rejects with `ApiError` or `UnreachableError` when it could not be attached. */
export function attachToContainer(
  connection: KubeConnection,
  options: AttachOptions,
): Promise<StreamSession> {
  return openContainerStream(connection, { ...options, subresource: 'attach' });
}
