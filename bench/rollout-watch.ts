/** The times at which a watch first sees objects in a given state. */
import { keyOf } from '../src/controller/object-key.ts';
import { listWatch } from '../src/kube/list-watch.ts';
import type { KubeObject, Resource } from '../src/kube/object.ts';
import type { RolloutCluster } from './rollout-cluster.ts';

interface Waiting<T> {
  readonly isSo: (object: T) => boolean;
  readonly seen: (moment: Moment<T>) => void;
}

export interface Moment<T> {
  readonly object: T;
  /** Milliseconds, by `performance.now()`. */
  readonly atMs: number;
}

/** Longer than anything that is measured here. */
const PATIENCE_MS = 180_000;

/** Follows the objects of one kind in the namespace. */
export class Watched<T extends KubeObject> implements Disposable {
  readonly #end = new AbortController();
  readonly #resource: Resource<T>;
  readonly #now = new Map<string, T>();
  readonly #waiting = new Set<Waiting<T>>();

  constructor(cluster: RolloutCluster, resource: Resource<T>) {
    this.#resource = resource;
    void this.#follow(cluster);
  }

  /**
   * Resolves with the first object that fulfils `isSo`, and the time at which it was seen. Resolves at once if such an
   * object is known.
   */
  first(what: string, isSo: (object: T) => boolean): Promise<Moment<T>> {
    const already = this.all().find(isSo);
    if (already !== undefined) return Promise.resolve({ object: already, atMs: performance.now() });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`not seen within ${PATIENCE_MS} ms: ${what}`));
      }, PATIENCE_MS);
      const waiting: Waiting<T> = {
        isSo,
        seen: (moment) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          resolve(moment);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  all(): readonly T[] {
    return [...this.#now.values()];
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }

  async #follow({ connection, namespace }: RolloutCluster): Promise<void> {
    const options = { namespace, signal: this.#end.signal };
    for await (const event of listWatch(connection, this.#resource, options)) {
      if (event.type === 'Delete') this.#now.delete(keyOf(event.object));
      if (event.type === 'Upsert') this.#note(event.object);
    }
  }

  #note(object: T): void {
    const atMs = performance.now();
    this.#now.set(keyOf(object), object);
    for (const { isSo, seen } of this.#waiting) if (isSo(object)) seen({ object, atMs });
  }
}
