/**
 * The last seen objects of one kind, by key and by index.
 *
 *  CTRL-O1 All readers share the objects, so they are frozen: copy an object to change it.
 *  CTRL-O2 An index contains exactly the values of its function for the objects that are in the cache now.
 */
import { LifehookError } from '../model/problem.ts';
import type { KubeObject } from '../kube/object.ts';
import { deepFreeze } from './deep-freeze.ts';

export const MAX_OBJECTS = 100_000;

/** Returns the index values of an object; pure. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];

export type Indexes<T extends KubeObject> = Readonly<Record<string, IndexFunction<T>>>;

export class ObjectCache<T extends KubeObject> {
  readonly #what: string;
  readonly #indexes: Indexes<T>;
  readonly #objects = new Map<string, T>();
  /** The object keys, by index name and then by index value. */
  readonly #entries = new Map<string, Map<string, Set<string>>>();
  /** The index values of each object, by object key and then by index name. */
  readonly #values = new Map<string, Map<string, readonly string[]>>();

  constructor(what: string, indexes: Indexes<T>) {
    this.#what = what;
    this.#indexes = indexes;
    for (const name of Object.keys(indexes)) this.#entries.set(name, new Map());
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(name: string, value: string): readonly T[] {
    const entries = this.#entries.get(name);
    if (entries === undefined) {
      const known = Object.keys(this.#indexes).join(', ') || 'none';
      throw new Error(`the cache of ${this.#what} has no index ${name}; it has ${known}`);
    }
    const found: T[] = [];
    for (const key of entries.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Stores the object, and returns it frozen. */
  set(key: string, object: T): T {
    if (!this.#objects.has(key)) this.#refuseTooMany();
    this.#unindex(key);
    this.#objects.set(key, deepFreeze(object));
    const byIndex = new Map<string, readonly string[]>();
    for (const name of this.#entries.keys()) {
      const values = this.#indexes[name]?.(object) ?? [];
      if (values.length > 0) byIndex.set(name, values);
      for (const value of values) this.#keysFor(name, value).add(key);
    }
    if (byIndex.size > 0) this.#values.set(key, byIndex);
    return object;
  }

  delete(key: string): void {
    this.#unindex(key);
    this.#objects.delete(key);
  }

  #unindex(key: string): void {
    for (const [name, values] of this.#values.get(key) ?? []) {
      const entries = this.#entries.get(name);
      for (const value of values) {
        const keys = entries?.get(value);
        keys?.delete(key);
        if (keys?.size === 0) entries?.delete(value);
      }
    }
    this.#values.delete(key);
  }

  #keysFor(name: string, value: string): Set<string> {
    const entries = this.#entries.get(name) ?? new Map<string, Set<string>>();
    const keys = entries.get(value) ?? new Set<string>();
    entries.set(value, keys);
    return keys;
  }

  #refuseTooMany(): void {
    if (this.#objects.size < MAX_OBJECTS) return;
    throw new LifehookError({
      code: 'LHK102',
      message: `The cache of ${this.#what} holds at most ${MAX_OBJECTS} objects, and the cluster has more.`,
      next: 'Watch fewer of them: a namespace, or a label selector.',
    });
  }
}
