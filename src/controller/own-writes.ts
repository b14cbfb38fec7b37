/**
 * What this controller has written, and its cache may not have seen yet: a pass that follows its own write
 * closely would else work on the state before it, and be refused with a conflict at best.
 *
 *  W1 What `newest` gives is never older than the newest object that was remembered under the key, but for W3.
 *  W2 A write is forgotten as soon as the cache has it, or something newer, or nothing of that name any more.
 *  W3 A list that began after a write knows better: the server may have been put back to an older state since.
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
}

/**
 * Of one kind, whose objects the controller changes and does not create: an object that the cache does not
 * hold counts as gone. What it creates is the matter of `Expectations`.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #lists: Lists;
  readonly #written = new Map<string, Written<T>>();

  /** `lists`: the informer of the kind. */
  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** Keys whose writes the cache has not caught up with, as far as anybody has asked. */
  get size(): number {
    return this.#written.size;
  }

  /** An object as the server answered it; an older one than is known changes nothing. */
  remember(object: T): void {
    const key = keyOf(object);
    const known = this.#known(key);
    if (known !== undefined && isBehind(object, known)) return;
    this.#written.set(key, { object: deepFreeze(object), listsBegun: this.#lists.listsBegun });
  }

  /** The newer of what the cache holds under the key and what was written; frozen. */
  newest(key: string, cached: T | undefined): T | undefined {
    const written = this.#known(key);
    if (written === undefined) return cached;
    if (cached !== undefined && isBehind(cached, written)) return written;
    this.#written.delete(key);
    return cached;
  }

  /** W3. */
  #known(key: string): T | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return undefined;
    if (this.#lists.listsReceived <= written.listsBegun) return written.object;
    this.#written.delete(key);
    return undefined;
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}

/** Where versions can't be compared the answer is no: then the cache is believed, and conflicts tell. */
function isBehind(object: KubeObject, other: KubeObject): boolean {
  const version = object.metadata?.resourceVersion ?? '';
  const otherVersion = other.metadata?.resourceVersion ?? '';
  return version !== otherVersion && isNotAfter(version, otherVersion);
}
