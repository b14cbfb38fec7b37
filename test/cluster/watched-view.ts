/** A watcher's view of the objects. It follows the contract of `WatchEvent` and checks each event. */
import type { KubeConnection } from '../../src/kube/client.ts';
import { listWatch, type ListWatchOptions } from '../../src/kube/list-watch.ts';
import type { KubeObject, Resource } from '../../src/kube/object.ts';

export class WatchedView {
  /** resourceVersions, keyed by object name. */
  readonly objects: Map<string, string> = new Map();
  /** Events that arrived in a wrong order. */
  readonly violations: string[] = [];
  readonly interruptions: string[] = [];
  relists = 0;
  synced = false;
  readonly done: Promise<void>;
  readonly #controller = new AbortController();
  readonly #last = new Map<string, string>();
  #reportedAgain: Set<string> | null = new Set();

  constructor(
    connection: KubeConnection,
    resource: Resource,
    options: Omit<ListWatchOptions, 'signal'>,
  ) {
    const { signal } = this.#controller;
    this.done = this.#follow(listWatch(connection, resource, { ...options, signal }));
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.done;
  }

  async #follow(events: ReturnType<typeof listWatch>): Promise<void> {
    for await (const event of events) {
      switch (event.type) {
        case 'Relisting':
          this.relists += 1;
          this.synced = false;
          this.#reportedAgain = new Set();
          break;
        case 'Synced':
          this.#forgetWhatWasNotReported();
          this.synced = true;
          break;
        case 'Upsert':
          this.#upsert(event.object);
          break;
        case 'Delete':
          this.#checkOrder(event.object);
          this.objects.delete(event.object.metadata?.name ?? '');
          break;
        case 'Interrupted':
          this.interruptions.push(event.reason);
          break;
      }
    }
  }

  #upsert(object: KubeObject): void {
    const { name = '', resourceVersion = '' } = object.metadata ?? {};
    this.#checkOrder(object);
    this.#reportedAgain?.add(name);
    this.objects.set(name, resourceVersion);
  }

  /** Checks that no older version of an object arrives. The same version may arrive twice only in a list. */
  #checkOrder({ metadata: { name = '', resourceVersion = '' } = {} }: KubeObject): void {
    const before = Number(this.#last.get(name) ?? 0);
    const now = Number(resourceVersion);
    const repeated = now === before && this.#reportedAgain === null;
    if (now < before || repeated) this.violations.push(`${name}: ${now} after ${before}`);
    this.#last.set(name, resourceVersion);
  }

  #forgetWhatWasNotReported(): void {
    for (const name of this.objects.keys()) {
      if (this.#reportedAgain?.has(name) !== true) this.objects.delete(name);
    }
    this.#reportedAgain = null;
  }
}
