/**
 * One informer for each resource and scope, shared by all controllers, so that each object is watched and cached only
 * once. Request all informers before `run`.
 */
import type { WatchEvent } from '../kube/client.ts';
import { type KubeObject, type Resource, resourceName } from '../kube/object.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import type { CancelSignal } from '../platform/platform.ts';
import type { Observe } from './controller-event.ts';
import { Informer, type Watch } from './informer.ts';
import type { Indexes } from './object-cache.ts';
import type { ServedKind } from './served-kind.ts';

/** The objects of a resource to watch; absent fields: all of them. */
export interface WatchScope {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatchRequest<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly scope: WatchScope;
  readonly signal: CancelSignal;
}

/** List and watch as one stream, for any resource. */
export type WatchAny = <T extends KubeObject>(
  request: WatchRequest<T>,
) => AsyncIterable<WatchEvent<T>>;

export interface SharedInformersOptions {
  readonly watch: WatchAny;
  readonly observe?: Observe;
}

interface Wanted<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly scope: WatchScope;
  readonly indexes: Indexes<T>;
  readonly follow: Watch<T>;
}

export class SharedInformers {
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  #running = false;

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /** The watch that all informers use, for code that watches kinds which are defined and deleted while it runs. */
  get watch(): WatchAny {
    return this.#options.watch;
  }

  of<T extends KubeObject>(
    resource: Resource<T>,
    {
      scope = {},
      indexes = {},
    }: { readonly scope?: WatchScope; readonly indexes?: Indexes<T> } = {},
  ): Informer<T> {
    const { watch } = this.#options;
    const follow: Watch<T> = (signal) => watch({ resource, scope, signal });
    return this.#make({ resource, scope, indexes, follow });
  }

  /** An informer for a kind that the cluster may lack. While the kind is not served, the cache is empty. */
  ofServed<T extends KubeObject>(
    kind: ServedKind<T>,
    {
      scope = {},
      indexes = {},
    }: { readonly scope?: WatchScope; readonly indexes?: Indexes<T> } = {},
  ): Informer<T> {
    const { watch, observe } = this.#options;
    const follow: Watch<T> = (signal) => kind.follow({ watch, scope, signal, observe });
    return this.#make({ resource: kind.versions[0], scope, indexes, follow });
  }

  #make<T extends KubeObject>({ resource, scope, indexes, follow }: Wanted<T>): Informer<T> {
    const id = idOf(resource, scope);
    // The cast is safe: the ID contains the resource, and so determines the type.
    const known = this.#informers.get(id) as Informer<T> | undefined;
    if (known !== undefined) {
      known.addIndexes(indexes);
      return known;
    }
    if (this.#running) throw new Error(`ask for the informer of ${id} before they run`);
    const { observe } = this.#options;
    const made = new Informer<T>({ resource, watch: follow, indexes, observe });
    this.#informers.set(id, made as unknown as Informer<KubeObject>);
    return made;
  }

  async synced(): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.synced()));
  }

  /**
   * Runs until the signal aborts. If one informer fails, the others stop too, and the promise rejects with the failure.
   */
  async run(signal: CancelSignal): Promise<void> {
    this.#running = true;
    const scope = new LinkedSignal(signal);
    const running = [...this.#informers.values()].map(async (informer) => {
      try {
        await informer.run(scope);
      } finally {
        scope.abort();
      }
    });
    try {
      await Promise.allSettled(running);
      await Promise.all(running);
    } finally {
      scope.release();
    }
  }
}

function idOf(resource: Resource, scope: WatchScope): string {
  const { namespace = '', labelSelector = '', fieldSelector = '' } = scope;
  const name = `${resourceName(resource)}/${resource.version}`;
  return JSON.stringify([name, namespace, labelSelector, fieldSelector]);
}
