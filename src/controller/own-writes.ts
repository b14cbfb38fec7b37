/**
 * Remembers the writes of this controller that its cache may not show yet. Otherwise a reconcile right after a write
 * would use the state before that write, and at best fail with a conflict.
 *
 *  CTRL-W1 `newest` never returns an older object than the newest one that was remembered under the key, except for
 *    CTRL-W3.
 *  CTRL-W2 A write is forgotten at the first read of its key after the cache has it or something newer, or no object of
 *    that name.
 *  CTRL-W3 A list that started after a write takes precedence: the server may have been restored to an older state in
 *    the meantime.
 *  CTRL-W4 An object that was read counts as newer than the version that the cache had before the read. Their
 *     resourceVersions do not matter, since a restored server may have returned to lower ones.
 */
import { type KubeObject, isNotAfter } from '../kube/object.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Informer } from './informer.ts';
import { keyOf } from './object-key.ts';

type Lists = Pick<Informer<KubeObject>, 'listsBegun' | 'listsReceived'>;

interface Written<T> {
  readonly object: T;
  readonly listsBegun: number;
  /** The resourceVersion that the cache had before the object was read; null: the object was not read but written. */
  readonly over: string | null;
}

/**
 * The newest known state of objects of one kind that the controller changes but does not create. An object that the
 * cache does not have counts as deleted. `Expectations` covers created objects.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #lists: Lists;
  readonly #written = new Map<string, Written<T>>();
  /** Keys for which the server has answered in this term. */
  readonly #seen = new Set<string>();

  /** `lists` is the informer of the kind. */
  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** The number of keys whose remembered object was newer than the cached one at the last read of the key. */
  get size(): number {
    return this.#written.size;
  }

  /** Forgets what earlier terms have seen: another leader may have written since. Call it at the start of a term. */
  beginTerm(): void {
    this.#seen.clear();
  }

  /** Whether the server has answered about the object in this term. */
  isSeen(key: string): boolean {
    return this.#seen.has(key);
  }

  /** Remembers the server's answer to a write. An object that is older than the remembered one is ignored. */
  remember(object: T): void {
    const key = keyOf(object);
    this.#seen.add(key);
    const known = this.#known(key);
    if (known !== undefined && isBehind(object, known.object)) return;
    this.#keep(key, object, null);
  }

  /** Remembers an object that was read; `cached` is the cache's version before the read. */
  rememberRead(object: T, cached: T | undefined): void {
    const key = keyOf(object);
    this.#seen.add(key);
    this.#keep(key, object, versionOf(cached));
  }

  /** The newer one of the cached object and the remembered object; frozen. */
  newest(key: string, cached: T | undefined): T | undefined {
    const known = this.#known(key);
    if (known === undefined) return cached;
    if (cached !== undefined && isCovered(cached, known)) return known.object;
    this.#written.delete(key);
    return cached;
  }

  #keep(key: string, object: T, over: string | null): void {
    const { listsBegun } = this.#lists;
    this.#written.set(key, { object: deepFreeze(object), listsBegun, over });
  }

  /**
   * The remembered write. undefined: nothing is remembered, or a list that started after the write takes precedence
   * (CTRL-W3).
   */
  #known(key: string): Written<T> | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return undefined;
    if (this.#lists.listsReceived <= written.listsBegun) return written;
    this.#written.delete(key);
    return undefined;
  }

  forget(key: string): void {
    this.#written.delete(key);
    this.#seen.delete(key);
  }
}

/** Whether the remembered object takes precedence over the cached one (CTRL-W1, CTRL-W4). */
function isCovered<T extends KubeObject>(cached: T, { object, over }: Written<T>): boolean {
  if (isBehind(cached, object)) return true;
  const version = versionOf(cached);
  return over !== null && version !== versionOf(object) && isNotAfter(version, over);
}

/**
 * Whether `object` is older. False if the versions cannot be compared: then the cache is trusted, and a wrong write
 * fails with a conflict.
 */
function isBehind(object: KubeObject, other: KubeObject): boolean {
  const [version, otherVersion] = [versionOf(object), versionOf(other)];
  return version !== otherVersion && isNotAfter(version, otherVersion);
}

function versionOf(object: KubeObject | undefined): string {
  return object?.metadata?.resourceVersion ?? '';
}
