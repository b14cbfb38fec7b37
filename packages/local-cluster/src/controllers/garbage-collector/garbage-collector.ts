/**
 * Runs the garbage collector.
 *
 * It deletes objects that have lost all owners. It keeps an owner that is deleted in the foreground until its
 * dependents are deleted, and releases orphaned dependents. A restart can rebuild all its state.
 */
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import type { Source } from '../../../../../src/controller/source.ts';
import { apiVersionOf, type OwnerReference } from '../../../../../src/kube/object.ts';
import { customResourceDefinitions } from '../../../../../src/kube/resources.ts';
import { LinkedSignal } from '../../../../../src/platform/linked-signal.ts';
import type { CancelSignal } from '../../../../../src/platform/platform.ts';
import type { ControllerContext } from '../context.ts';
import { readServedKinds, type ServedKinds } from '../discovery/served-kinds.ts';
import { collect } from './collect.ts';
import { OwnerGraph, type GraphNode } from './graph.ts';
import { Monitors, type MonitorsOptions } from './monitors.ts';

/** Milliseconds between two reads of discovery. Kinds of aggregated servers are added and removed without an event. */
const REFRESH_MS = 30_000;
/** Milliseconds from a change of a CustomResourceDefinition to the next read of discovery. */
const SETTLE_MS = 200;
const WORKERS = 4;

export function makeGarbageCollector(context: ControllerContext): Controller {
  const definitions = context.informers.of(customResourceDefinitions);
  return {
    name: 'garbage-collector',
    run: async (term) => {
      const scope = new LinkedSignal(term.stop);
      const failures: unknown[] = [];
      const fail = (error: unknown): void => {
        failures.push(error);
        scope.abort();
      };
      const following = new Following(context, { signal: scope, fail });
      const stopListening = definitions.listen(() => {
        following.refreshIn(SETTLE_MS);
      });
      try {
        await following.refresh();
        await controllerOf(context, following).run({ ...term, stop: scope });
      } finally {
        stopListening();
        scope.abort();
        await following.stop();
        scope.release();
      }
      for (const first of failures) throw first;
    },
  };
}

function controllerOf(context: ControllerContext, following: Following): Controller {
  const { client } = context;
  return makeController({
    ...context,
    name: 'garbage-collector',
    workers: WORKERS,
    sources: [following],
    reconcile: (uid, { signal }) =>
      collect(uid, {
        client,
        signal,
        graph: following.graph,
        kinds: () => following.served.kinds,
        enqueue: following.enqueue,
        reportMisplaced: (node, reference) => {
          report(context, node, reference);
        },
      }),
  });
}

function report(
  { recorder }: ControllerContext,
  { resource, namespace, name, uid }: GraphNode,
  reference: OwnerReference,
): void {
  const { apiVersion, kind, name: owner, uid: ownerUid } = reference;
  const meant = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${owner}, uid: ${ownerUid}]`;
  const place = namespace === '' ? {} : { namespace };
  recorder.record({
    about: { apiVersion: apiVersionOf(resource), kind: resource.kind, ...place, name, uid },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${meant} does not exist in namespace "${namespace}"`,
  });
}

/** The graph and the watches that feed it, as one source of keys. */
class Following implements Source {
  readonly graph: OwnerGraph = new OwnerGraph();
  served: ServedKinds = { kinds: [], failures: [] };
  readonly #context: ControllerContext;
  readonly #monitors: Monitors;
  readonly #signal: CancelSignal;
  /** Uids enqueued before a listener was attached. */
  readonly #early = new Set<string>();
  #listener: ((uid: string) => void) | null = null;
  #callOff: (() => void) | null = null;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(
    context: ControllerContext,
    { signal, fail }: Pick<MonitorsOptions, 'signal' | 'fail'>,
  ) {
    this.#context = context;
    this.#signal = signal;
    const { informers, platform } = context;
    this.#monitors = new Monitors({
      watch: informers.watch,
      graph: this.graph,
      enqueue: this.enqueue,
      timers: platform.timers,
      signal,
      fail,
    });
  }

  readonly enqueue = (uid: string): void => {
    if (this.#listener === null) this.#early.add(uid);
    else this.#listener(uid);
  };

  listen(enqueue: (key: string) => void): () => void {
    this.#listener = enqueue;
    for (const uid of this.#early) enqueue(uid);
    this.#early.clear();
    return () => {
      this.#listener = null;
    };
  }

  async synced(): Promise<void> {
    await this.#monitors.synced();
  }

  refreshIn(ms: number): void {
    if (this.#signal.aborted) return;
    this.#callOff?.();
    this.#callOff = this.#context.platform.timers.after(ms, () => {
      this.#refreshing = this.refresh();
    });
  }

  /** Reads discovery, and starts and stops watches. If discovery fails, it is retried and open watches stay open. */
  async refresh(): Promise<void> {
    try {
      this.served = await readServedKinds(this.#context.client, { signal: this.#signal });
      const failed = new Set(this.served.failures.map(({ groupVersion }) => groupVersion));
      if (!this.#signal.aborted) this.#monitors.follow(this.served.kinds, (id) => failed.has(id));
      this.refreshIn(REFRESH_MS);
    } catch {
      this.refreshIn(SETTLE_MS * 10);
    }
  }

  async stop(): Promise<void> {
    this.#callOff?.();
    await this.#refreshing;
    await this.#monitors.stop();
  }
}
