/**
 * Reads the newest state of an object before a controller acts on it. In each term the object is read from the server
 * once. A cache may lack the last writes of another leader, and a server may have been restored to an older state.
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
  readonly own: OwnWrites<T>;
}

/**
 * The newest state of the object; undefined: it does not exist in the cache or on the server. Rejects if a needed read
 * fails.
 */
export async function readOnce<T extends KubeObject>(
  reading: Reading<T>,
  key: string,
): Promise<T | undefined> {
  const { cache, own } = reading;
  if (cache.get(key) !== undefined && !own.isSeen(key) && !(await readAgain(reading, key)))
    return undefined;
  return own.newest(key, cache.get(key));
}

/** Reads the object now. Resolves with true if it exists. */
export async function readAgain<T extends KubeObject>(
  { client, cache, own }: Reading<T>,
  key: string,
): Promise<boolean> {
  const cached = cache.get(key);
  const read = await getOrNull(client, cache.resource, parseKey(key));
  if (read !== null) own.rememberRead(read, cached);
  return read !== null;
}
