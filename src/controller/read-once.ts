/**
 * The newest state of an object that a controller is about to act on. In each term it is read from the server once:
 * another leader's last writes may be in no cache, and a server may have been put back to an older state.
 */
import type { KubeClient } from '../kube/client.ts';
import { getOrNull } from '../kube/get-or-null.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Informer } from './informer.ts';
import { parseKey } from './object-key.ts';
import type { OwnWrites } from './own-writes.ts';

export interface Reading<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'get'>;
  readonly cache: Informer<T>;
  /** Of that cache. */
  readonly own: OwnWrites<T>;
}

/** undefined: there is none, by the cache or by the server. Rejects where the server has to be asked and fails. */
export async function readOnce<T extends KubeObject>(
  reading: Reading<T>,
  key: string,
): Promise<T | undefined> {
  const { cache, own } = reading;
  if (cache.get(key) !== undefined && !own.isHeard(key) && !(await readAgain(reading, key)))
    return undefined;
  return own.newest(key, cache.get(key));
}

/** Reads it now. Resolves with whether it is there. */
export async function readAgain<T extends KubeObject>(
  { client, cache, own }: Reading<T>,
  key: string,
): Promise<boolean> {
  const cached = cache.get(key);
  const read = await getOrNull(client, cache.resource, parseKey(key));
  if (read !== null) own.rememberRead(read, cached);
  return read !== null;
}
