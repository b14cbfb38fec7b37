import type { ObjectAddress, StoredObject } from './object-store.ts';
import type { Json } from '../../../../src/kube/object.ts';

/**
 * The current objects of one resource, ordered by key.
 *
 * A list that was returned never changes. The first change after a list therefore copies the entries once.
 */
export class ObjectTable {
  readonly #byKey = new Map<string, StoredObject>();
  #keys: string[] = [];
  #entries: StoredObject[] = [];
  /** True if a caller has a reference to `#entries`. */
  #shared = false;

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  put(stored: StoredObject): void {
    const key = keyOf(stored.address);
    const at = lowerBound(this.#keys, key);
    this.#unshare();
    if (this.#byKey.has(key)) {
      this.#entries[at] = stored;
    } else {
      this.#keys.splice(at, 0, key);
      this.#entries.splice(at, 0, stored);
    }
    this.#byKey.set(key, stored);
  }

  remove(key: string): void {
    if (!this.#byKey.delete(key)) return;
    const at = lowerBound(this.#keys, key);
    this.#unshare();
    this.#keys.splice(at, 1);
    this.#entries.splice(at, 1);
  }

  list(namespace?: string): readonly StoredObject[] {
    if (namespace !== undefined) {
      const from = lowerBound(this.#keys, `${namespace}/`);
      return this.#entries.slice(from, lowerBound(this.#keys, `${namespace}${AFTER_SLASH}`));
    }
    this.#shared = true;
    return this.#entries;
  }

  #unshare(): void {
    if (!this.#shared) return;
    this.#entries = [...this.#entries];
    this.#shared = false;
  }
}

/** Key by which a real API server orders lists: "a-b/x" is before "a/x". */
export function keyOf({ namespace, name }: Pick<ObjectAddress, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

/** The character after "/": all keys of a namespace are before NAMESPACE0. */
const AFTER_SLASH = '0';

/** Index of the first key that is not less than `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Freezes a value and everything in it, and returns it. A value that is already frozen is not searched. */
export function deepFreeze<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
