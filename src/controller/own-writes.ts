/**
 * What this controller has written, and its cache may not have seen yet: a pass that follows its own write
 * closely would else work on the state before it, and be refused with a conflict at best.
 *
 *  W1 What `newest` gives is never older than the newest object that was remembered under the key.
 *  W2 A write is forgotten as soon as the cache has it, or something newer, or nothing of that name any more.
 */
import type { KubeObject } from '../kube/object.ts';
import { isNotAfter } from '../kube/resource-version.ts';
import { deepFreeze } from './deep-freeze.ts';
import { keyOf } from './object-key.ts';

/**
 * Of one kind, whose objects the controller changes and does not create: an object that the cache does not
 * hold counts as gone. What it creates is the matter of `Expectations`.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #written = new Map<string, T>();

  /** Keys whose writes the cache has not caught up with, as far as anybody has asked. */
  get size(): number {
    return this.#written.size;
  }

  /** An object as the server answered it; an older one than is known changes nothing. */
  remember(object: T): void {
    const key = keyOf(object);
    const known = this.#written.get(key);
    if (known === undefined || !isBehind(object, known)) this.#written.set(key, deepFreeze(object));
  }

  /** The newer of what the cache holds under the key and what was written; frozen. */
  newest(key: string, cached: T | undefined): T | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return cached;
    if (cached !== undefined && isBehind(cached, written)) return written;
    this.#written.delete(key);
    return cached;
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
