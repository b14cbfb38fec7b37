/**
 * Watches every kind that can be listed, watched and deleted, and feeds the graph.
 *
 * - A watch starts when its kind appears in discovery, and stops when the kind disappears.
 * - `synced` resolves when every kind that was served at the start has been listed completely.
 * - A kind that cannot be listed delays the start by at most SYNC_LIMIT_MS.
 */
import type { WatchAny } from '../../../../../src/controller/shared-informers.ts';
import type { WatchEvent } from '../../../../../src/kube/client.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../../../../../src/kube/object.ts';
import type { CancelSignal, Timers } from '../../../../../src/platform/platform.ts';
import { has, type ServedKind } from '../discovery/served-kinds.ts';
import { type OwnerGraph, nodeOf } from './graph.ts';

export const SYNC_LIMIT_MS = 30_000;

export interface MonitorsOptions {
  readonly watch: WatchAny;
  readonly graph: OwnerGraph;
  readonly enqueue: (uid: string) => void;
  readonly timers: Timers;
  readonly signal: CancelSignal;
  /** Called if a watch throws, which only a bug of ours can cause. */
  readonly fail: (error: unknown) => void;
}

interface Monitor {
  readonly stop: () => void;
  readonly running: Promise<void>;
  readonly synced: Promise<void>;
}

export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();

  constructor(options: MonitorsOptions) {
    this.#options = options;
    // One listener for all kinds. With a listener for each kind, Node.js would warn of a leak.
    options.signal.addEventListener('abort', () => {
      for (const { stop } of this.#monitors.values()) stop();
    });
  }

  /**
   * Starts watches for new kinds and stops those of missing kinds. `keep`: true for a group version whose kinds may
   * still exist.
   */
  follow(kinds: readonly ServedKind[], keep: (resourceGroupVersion: string) => boolean): void {
    const wanted = new Map(kinds.filter(isCollected).map((kind) => [idOf(kind.resource), kind]));
    for (const [id, monitor] of this.#monitors) {
      if (wanted.has(id) || keep(id.slice(id.indexOf(' ') + 1))) continue;
      this.#monitors.delete(id);
      monitor.stop();
    }
    for (const [id, { resource }] of wanted) {
      if (!this.#monitors.has(id)) this.#monitors.set(id, this.#start(resource));
    }
  }

  async synced(): Promise<void> {
    const all = Promise.all([...this.#monitors.values()].map(({ synced }) => synced));
    let callOff: (() => void) | undefined;
    const limit = new Promise<void>((resolve) => {
      callOff = this.#options.timers.after(SYNC_LIMIT_MS, resolve);
    });
    await Promise.race([all, limit]);
    callOff?.();
  }

  async stop(): Promise<void> {
    const monitors = [...this.#monitors.values()];
    this.#monitors.clear();
    for (const { stop } of monitors) stop();
    await Promise.all(monitors.map(({ running }) => running));
  }

  #start(resource: Resource): Monitor {
    const stopping = new AbortController();
    if (this.#options.signal.aborted) stopping.abort();
    let resolve = (): void => {};
    const synced = new Promise<void>((isSynced) => {
      resolve = isSynced;
    });
    const view = new KindView(this.#options, resource);
    const run = async (): Promise<void> => {
      const events = this.#options.watch({ resource, scope: {}, signal: stopping.signal });
      for await (const event of events) {
        if (stopping.signal.aborted) break;
        view.apply(event);
        if (event.type === 'Synced') resolve();
      }
      resolve();
    };
    const stop = (): void => {
      stopping.abort();
    };
    return { stop, running: run().catch(this.#options.fail), synced };
  }
}

/** The known objects of one kind, so that a new list shows which were deleted. */
class KindView {
  readonly #options: Pick<MonitorsOptions, 'graph' | 'enqueue'>;
  readonly #resource: Resource;
  readonly #uids = new Set<string>();
  #named: Set<string> | null = null;

  constructor(options: Pick<MonitorsOptions, 'graph' | 'enqueue'>, resource: Resource) {
    this.#options = options;
    this.#resource = resource;
  }

  apply(event: WatchEvent<KubeObject>): void {
    if (event.type === 'Relisting') this.#named = new Set();
    if (event.type === 'Upsert') this.#upsert(event.object);
    if (event.type === 'Delete') this.#remove(event.object.metadata?.uid ?? '');
    if (event.type === 'Synced') this.#removeUnnamed();
  }

  #upsert(object: KubeObject): void {
    const node = nodeOf(this.#resource, object);
    this.#uids.add(node.uid);
    this.#named?.add(node.uid);
    this.#notify(this.#options.graph.set(node));
  }

  #remove(uid: string): void {
    this.#uids.delete(uid);
    this.#notify(this.#options.graph.remove(uid));
  }

  #removeUnnamed(): void {
    const named = this.#named;
    this.#named = null;
    if (named === null) return;
    for (const uid of this.#uids) if (!named.has(uid)) this.#remove(uid);
  }

  #notify(uids: readonly string[]): void {
    for (const uid of uids) this.#options.enqueue(uid);
  }
}

/** Events are not collected: they have no owners and no dependents, and there are many. */
function isCollected(kind: ServedKind): boolean {
  const { group, plural } = kind.resource;
  const isEvent = plural === 'events' && (group === '' || group === 'events.k8s.io');
  return !isEvent && has(kind, 'delete', 'list', 'watch');
}

function idOf(resource: Resource): string {
  return `${resource.plural} ${apiVersionOf(resource)}`;
}
