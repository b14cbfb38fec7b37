/**
 * What this controller has written, and its cache may not have seen yet: a pass that follows its own write
 * closely would else work on the state before it, and be refused with a conflict at best.
 *
 *  CTRL-W1 What `newest` gives is never older than the newest object that was remembered under the key, but for CTRL-W3.
 *  CTRL-W2 A write is forgotten as soon as the cache has it, or something newer, or nothing of that name any more.
 *  CTRL-W3 A list that began after a write knows better: the server may have been put back to an older state since.
 *  CTRL-W4 An object that was read is newer than what the cache held before the read, whatever their versions say: for the
 *     same reason.
 */
import type { KubeObject } from '../kube/object.ts';
import { isNotAfter } from '../kube/resource-version.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Informer } from './informer.ts';
import { keyOf } from './object-key.ts';

type Lists = Pick<Informer<KubeObject>, 'listsBegun' | 'listsReceived'>;

interface Written<T> {
  readonly object: T;
  /** When it was remembered. */
  readonly listsBegun: number;
  /** The version of what the cache held before the object was read; null: it was written. */
  readonly over: string | null;
}

/**
 * Of one kind, whose objects the controller changes and does not create: an object that the cache does not
 * hold counts as gone. What it creates is the matter of `Expectations`.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #lists: Lists;
  readonly #written = new Map<string, Written<T>>();
  /** Keys that the server has answered about in this term. */
  readonly #heard = new Set<string>();

  /** `lists`: the informer of the kind. */
  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** Keys whose writes the cache has not caught up with, as far as anybody has asked. */
  get size(): number {
    return this.#written.size;
  }

  /** Another leader may have written since. */
  beginTerm(): void {
    this.#heard.clear();
  }

  /** Whether the server has answered about the object in this term. */
  isHeard(key: string): boolean {
    return this.#heard.has(key);
  }

  /** An object as the server answered a write; an older one than is known changes nothing. */
  remember(object: T): void {
    const key = keyOf(object);
    this.#heard.add(key);
    const known = this.#known(key);
    if (known !== undefined && isBehind(object, known.object)) return;
    this.#keep(key, object, null);
  }

  /** An object as it was read; `cached` is what the cache held before the read. */
  rememberRead(object: T, cached: T | undefined): void {
    const key = keyOf(object);
    this.#heard.add(key);
    this.#keep(key, object, versionOf(cached));
  }

  /** The newest of what the cache holds under the key and what was written or read; frozen. */
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

  /** undefined: a list that began after the write wins over it (CTRL-W3). */
  #known(key: string): Written<T> | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return undefined;
    if (this.#lists.listsReceived <= written.listsBegun) return written;
    this.#written.delete(key);
    return undefined;
  }

  forget(key: string): void {
    this.#written.delete(key);
    this.#heard.delete(key);
  }
}

/** CTRL-W1, CTRL-W4. */
function isCovered<T extends KubeObject>(cached: T, { object, over }: Written<T>): boolean {
  if (isBehind(cached, object)) return true;
  const version = versionOf(cached);
  return over !== null && version !== versionOf(object) && isNotAfter(version, over);
}

/** Where versions can't be compared the answer is no: then the cache is believed, and conflicts tell. */
function isBehind(object: KubeObject, other: KubeObject): boolean {
  const [version, otherVersion] = [versionOf(object), versionOf(other)];
  return version !== otherVersion && isNotAfter(version, otherVersion);
}

function versionOf(object: KubeObject | undefined): string {
  return object?.metadata?.resourceVersion ?? '';
}
