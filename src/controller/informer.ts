/**
 * A cache of one resource that follows its watch and notifies listeners of changes.
 *
 *  CTRL-I1 Once synced, the cache is the state of the cluster at some moment. It never goes back to an earlier one
 *     while the watch keeps its order.
 *  CTRL-I2 Every change is reported once, in order, after the cache has it. An object that a relist lacks is reported
 *     as deleted, with its last known state.
 *  CTRL-I3 If an object was replaced by another one of the same name, first the deletion is reported, then the new
 *    object.
 *  CTRL-I4 An unchanged object (same UID and resourceVersion) is not reported.
 *  CTRL-I5 A late listener first receives all existing objects as new.
 */
import { type KubeObject, type Resource, resourceName } from '../kube/object.ts';
import type { WatchEvent } from '../kube/client.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { type Observe, quietly } from './controller-event.ts';
import { deepFreeze } from './deep-freeze.ts';
import { ObjectCache, type IndexFunction, type Indexes } from './object-cache.ts';
import { keyOf } from './object-key.ts';

export interface Change<T extends KubeObject> {
  readonly key: string;
  /** null: the object is new. */
  readonly before: T | null;
  /** null: the object is deleted, and `before` is its last known state. */
  readonly after: T | null;
}

/** Must be quick, and must not throw for any content of an object: it runs inside the watch. */
export type Listener<T extends KubeObject> = (change: Change<T>) => void;

/** List and watch as one stream, until the signal aborts. */
export type Watch<T extends KubeObject> = (signal: CancelSignal) => AsyncIterable<WatchEvent<T>>;

export interface InformerOptions<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly watch: Watch<T>;
  readonly indexes?: Indexes<T>;
  readonly observe?: Observe | undefined;
}

export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #observe: Observe;
  readonly #indexes: Record<string, IndexFunction<T>>;
  readonly #listeners = new Set<Listener<T>>();
  #cache: ObjectCache<T>;
  /** Keys that the running relist has listed so far; null: no relist is running. */
  #named: Set<string> | null = null;
  #listsBegun = 0;
  #listsReceived = 0;
  #synced = false;
  #waiters: (() => void)[] = [];
  #running = false;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#observe = quietly(options.observe);
    this.#indexes = { ...options.indexes };
    this.#cache = this.#makeCache();
  }

  get resource(): Resource<T> {
    return this.#options.resource;
  }

  /** Whether the first list is complete. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  get listsBegun(): number {
    return this.#listsBegun;
  }

  /** The number of the newest complete list, counted as in `listsBegun`. */
  get listsReceived(): number {
    return this.#listsReceived;
  }

  /** The cached object; undefined: there is none. It is frozen: copy it to change it. */
  get(key: string): T | undefined {
    return this.#cache.get(key);
  }

  list(): readonly T[] {
    return this.#cache.list();
  }

  byIndex(name: string, value: string): readonly T[] {
    return this.#cache.byIndex(name, value);
  }

  /** Adds indexes. Call it before the informer runs. An index that already exists can be requested at any time. */
  addIndexes(indexes: Indexes<T>): void {
    for (const [name, indexFunction] of Object.entries(indexes)) {
      if (this.#indexes[name] === indexFunction) continue;
      if (this.#indexes[name] !== undefined) {
        throw new Error(`the informer of ${this.#what} has another index ${name} already`);
      }
      if (this.#running)
        throw new Error(`the informer of ${this.#what} runs already: add ${name} before it starts`);
      this.#indexes[name] = indexFunction;
      this.#cache = this.#makeCache();
    }
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: Listener<T>): () => void {
    for (const after of this.#cache.list()) listener({ key: keyOf(after), before: null, after });
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Resolves when the first list is complete. */
  synced(): Promise<void> {
    if (this.#synced) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  /** Follows the watch until the signal aborts. Rejects if the watch ends or fails by itself. */
  async run(signal: CancelSignal): Promise<void> {
    if (this.#running) throw new Error(`the informer of ${this.#what} runs already`);
    this.#running = true;
    for await (const event of this.#options.watch(signal)) {
      if (signal.aborted) return;
      this.#apply(event);
    }
    if (!signal.aborted) throw new Error(`the watch of ${this.#what} ended by itself`);
  }

  get #what(): string {
    return resourceName(this.#options.resource);
  }

  #makeCache(): ObjectCache<T> {
    return new ObjectCache(this.#what, this.#indexes);
  }

  #apply(event: WatchEvent<T>): void {
    switch (event.type) {
      case 'Relisting':
        this.#named = new Set();
        this.#listsBegun += 1;
        return;
      case 'Upsert':
        this.#upsert(event.object);
        return;
      case 'Delete':
        this.#remove(keyOf(event.object), event.object);
        return;
      case 'Synced':
        this.#finishList();
        return;
      case 'Interrupted': {
        const { reason, retryInMs } = event;
        this.#observe({ type: 'WatchInterrupted', resource: this.#what, reason, retryInMs });
        return;
      }
      default:
        event satisfies never;
    }
  }

  #upsert(object: T): void {
    const key = keyOf(object);
    const known = this.#cache.get(key);
    if (known !== undefined && known.metadata?.uid !== object.metadata?.uid)
      this.#remove(key, known);
    this.#named?.add(key);
    const before = this.#cache.get(key) ?? null;
    if (before !== null && isSameVersion(before, object)) return;
    this.#notify({ key, before, after: this.#cache.set(key, object) });
  }

  #remove(key: string, last: T): void {
    const known = this.#cache.get(key);
    // A new object of the same name has replaced this one. The deletion was reported at that time.
    if (known === undefined || known.metadata?.uid !== last.metadata?.uid) return;
    this.#named?.delete(key);
    this.#cache.delete(key);
    this.#notify({ key, before: deepFreeze(last), after: null });
  }

  #finishList(): void {
    const named = this.#named;
    this.#named = null;
    this.#listsReceived = this.#listsBegun;
    if (named !== null) this.#removeUnnamed(named);
    if (this.#synced) return;
    this.#synced = true;
    const objects = this.#cache.size;
    this.#observe({ type: 'CacheSynced', resource: this.#what, objects });
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #removeUnnamed(named: ReadonlySet<string>): void {
    for (const key of this.#cache.keys()) {
      const object = this.#cache.get(key);
      if (object !== undefined && !named.has(key)) this.#remove(key, object);
    }
  }

  #notify(change: Change<T>): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata?.resourceVersion;
  return version !== undefined && version === b.metadata?.resourceVersion;
}
