/**
 * A kind that a cluster may not have, in the newest version that it has: its definition may be created, replaced
 * and deleted while we run.
 *
 * - A kind that is not served is followed as one without objects: its cache syncs and is empty.
 * - Which version is served is asked by listing, newest first: at the beginning, and whenever a list or a watch
 *     is answered 404. A server that only fails for now (503, no answer) changes nothing. A newer version that is
 *     added later is taken at the next start: the older one means the same objects for as long as it is served.
 * - While no version is served, the server is asked again every LOOK_MS.
 */
import type { WatchEvent } from '../kube/client.ts';
import { apiVersionOf, type KubeObject, type Resource, resourceName } from '../kube/object.ts';
import type { CancelSignal, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { type Observe, quietly } from './controller-event.ts';
import type { WatchAny, WatchScope } from './shared-informers.ts';

export const LOOK_MS = 5_000;

export interface Following {
  readonly watch: WatchAny;
  readonly scope: WatchScope;
  readonly signal: CancelSignal;
  readonly observe?: Observe | undefined;
}

export class ServedKind<T extends KubeObject> {
  /** Newest first; at least one. */
  readonly versions: readonly [Resource<T>, ...Resource<T>[]];
  readonly #timers: Timers;
  #served: Resource<T> | null = null;
  #told: string | null = null;

  constructor(versions: readonly [Resource<T>, ...Resource<T>[]], timers: Timers) {
    this.versions = versions;
    this.#timers = timers;
  }

  /** null: no version is, or none has been listed yet. */
  get served(): Resource<T> | null {
    return this.#served;
  }

  /** Where none is served: the newest, of which the server says that it is not found. */
  get resource(): Resource<T> {
    return this.#served ?? this.versions[0];
  }

  /** As a message names it: "VolumeSnapshot (snapshot.storage.k8s.io/v1)". */
  get text(): string {
    const [newest] = this.versions;
    return `${newest.kind} (${this.versions.map(apiVersionOf).join(' or ')})`;
  }

  async *follow(following: Following): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { signal, observe } = following;
    while (!signal.aborted) {
      for (const resource of this.versions) {
        yield { type: 'Relisting' };
        yield* this.#followVersion(resource, following);
        if (isAborted(signal)) return;
      }
      yield { type: 'Synced', resourceVersion: '' };
      this.#tell(null, observe);
      await sleep(this.#timers, LOOK_MS, signal);
    }
  }

  /** Returns when that version is not served, any more or at all. */
  async *#followVersion(
    resource: Resource<T>,
    { watch, scope, signal, observe }: Following,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    for await (const event of watch({ resource, scope, signal })) {
      if (event.type === 'Interrupted' && event.notServed) {
        this.#served = null;
        return;
      }
      if (event.type === 'Synced') {
        this.#served = resource;
        this.#tell(resource, observe);
      }
      yield event;
    }
  }

  /** Once for each change. */
  #tell(served: Resource<T> | null, observe: Observe | undefined): void {
    const state = served?.version ?? 'none';
    if (this.#told === state) return;
    this.#told = state;
    const resource = resourceName(this.versions[0]);
    if (served === null) quietly(observe)({ type: 'KindNotServed', resource });
    else quietly(observe)({ type: 'KindServed', resource, version: served.version });
  }
}

/** As a function: the compiler takes the signal for one that cannot change while we follow. */
function isAborted(signal: CancelSignal): boolean {
  return signal.aborted;
}
