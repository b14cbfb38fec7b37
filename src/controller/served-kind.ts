/**
 * A kind that a cluster may lack, in the newest version that it serves. Its definition may be created, replaced and
 * deleted while we run.
 *
 * - A kind that is not served behaves like one without objects: its cache syncs and is empty.
 * - The served version is found by listing, newest version first: at the start, and whenever a list or a watch gets
 *     404. A temporary server failure (503, no answer) changes nothing. A newer version that is added later is used
 *     only after the next start. Until then the older version has the same objects.
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
  /** Versions of the kind, newest first; at least one. */
  readonly versions: readonly [Resource<T>, ...Resource<T>[]];
  readonly #timers: Timers;
  #served: Resource<T> | null = null;
  #reported: string | null = null;

  constructor(versions: readonly [Resource<T>, ...Resource<T>[]], timers: Timers) {
    this.versions = versions;
    this.#timers = timers;
  }

  /** null: the server serves no version, or no list has succeeded yet. */
  get served(): Resource<T> | null {
    return this.#served;
  }

  /** The served version. If none is served, the newest one, for which the server answers 404. */
  get resource(): Resource<T> {
    return this.#served ?? this.versions[0];
  }

  /** The kind with its versions, for messages: "VolumeSnapshot (snapshot.storage.k8s.io/v1)". */
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
      this.#report(null, observe);
      await sleep(this.#timers, LOOK_MS, signal);
    }
  }

  /** Follows one version. Returns when the server does not serve it, or stops serving it. */
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
        this.#report(resource, observe);
      }
      yield event;
    }
  }

  /** Emits an event when the served version changes; once for each change. */
  #report(served: Resource<T> | null, observe: Observe | undefined): void {
    const state = served?.version ?? 'none';
    if (this.#reported === state) return;
    this.#reported = state;
    const resource = resourceName(this.versions[0]);
    if (served === null) quietly(observe)({ type: 'KindNotServed', resource });
    else quietly(observe)({ type: 'KindServed', resource, version: served.version });
  }
}

/** A function, because the compiler assumes that the value cannot change within the loop. */
function isAborted(signal: CancelSignal): boolean {
  return signal.aborted;
}
