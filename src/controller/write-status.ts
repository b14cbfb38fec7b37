import type { KubeClient } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/object.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { sameJson } from './same-json.ts';

export interface StatusWrite<T extends KubeObject & { status?: object }> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  /** As it was read: its resourceVersion guards the write, so that a status never replaces one that was not seen. */
  readonly object: T;
  /** The whole status, computed anew. */
  readonly status: NonNullable<T['status']>;
  readonly signal?: CancelSignal;
  /** Until the server has to have answered; absent: as for every request. */
  readonly timeoutMs?: number;
}

/**
 * Writes the status if it differs from the one that was read; resolves with the object as it is then.
 * A status that is written on every pass would wake its own controller for ever.
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
