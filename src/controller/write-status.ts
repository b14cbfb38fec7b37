import type { KubeClient } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/object.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { sameJson } from './same-json.ts';

export interface StatusWrite<T extends KubeObject & { status?: object }> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  /**
   * The object that was read. Its resourceVersion guards the write, so that a status that was not read is never
   * replaced (CTRL-W5).
   */
  readonly object: T;
  /** The complete new status. */
  readonly status: NonNullable<T['status']>;
  readonly signal?: CancelSignal;
  /** Milliseconds until the server must have answered; absent: the default of every request. */
  readonly timeoutMs?: number;
}

/**
 * Writes the status if it differs from the one that was read; resolves with the current object. A controller that
 * writes its status in every reconcile would requeue itself for ever.
 */
export async function writeStatusIfChanged<T extends KubeObject & { status?: object }>(
  write: StatusWrite<T>,
): Promise<T> {
  const { client, resource, object, status, signal, timeoutMs } = write;
  if (sameJson(object.status ?? {}, status)) return object;
  const options = {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  return client.replaceStatus(resource, { ...object, status }, options);
}
