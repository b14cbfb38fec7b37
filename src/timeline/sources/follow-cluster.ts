/**
 * Reads the hooks of a cluster from its objects. The cluster sources of the lifecycles name the kinds of these objects.
 * The history is as long as the objects exist.
 */
import type { KubeConnection } from '../../kube/client.ts';
import { listWatch } from '../../kube/list-watch.ts';
import { type KubeObject, type Resource, resourceName } from '../../kube/object.ts';
import type { CancelSignal, Timers } from '../../platform/platform.ts';
import type { BarStore } from '../bar-store.ts';
import { ObjectBars, type ObjectBarsOptions } from './object-bars.ts';

/** A kind whose objects have spans. */
export interface FollowedKind<T extends KubeObject> extends Pick<
  ObjectBarsOptions<T>,
  'barsOf' | 'keptBarsOf' | 'succeeded'
> {
  readonly resource: Resource<T>;
  readonly fieldSelector?: string;
}

export type Follow = <T extends KubeObject>(kind: FollowedKind<T>) => Following;

/** Calls `follow` for each kind of one lifecycle. */
export type ClusterSource = (follow: Follow) => readonly Following[];

export interface FollowClusterOptions {
  readonly connection: KubeConnection;
  readonly store: Pick<BarStore, 'put' | 'get' | 'setSource'>;
  /** Name of the cluster on the page. */
  readonly name: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly sources: readonly ClusterSource[];
  readonly signal: CancelSignal;
}

/** Of one kind, or of all kinds of the cluster. */
export interface Following {
  /** Resolves when each kind is done: its existing objects were reported, or its first read has failed. */
  readonly listed: Promise<void>;
  /** Resolves after the signal has aborted. */
  readonly running: Promise<void>;
}

export function followCluster(options: FollowClusterOptions): Following {
  const { connection, store, name, sources } = options;
  const { clock, timers } = connection.platform;
  const health = new ClusterHealth({ store, name, timers });
  const follow: Follow = ({ resource, fieldSelector, ...how }) =>
    followKind(
      { resource, fieldSelector, options, health },
      new ObjectBars({ store, clock, ...how }),
    );
  const all = sources.flatMap((source) => source(follow));
  return {
    listed: Promise.all(all.map(({ listed }) => listed)).then(() => undefined),
    running: Promise.all(all.map(({ running }) => running)).then(() => undefined),
  };
}

interface Followed<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly fieldSelector: string | undefined;
  readonly options: FollowClusterOptions;
  readonly health: ClusterHealth;
}

function followKind<T extends KubeObject>(
  { resource, fieldSelector, options, health }: Followed<T>,
  bars: ObjectBars<T>,
): Following {
  const { connection, namespace, signal } = options;
  const which = fieldSelector === undefined ? '' : ` with ${fieldSelector}`;
  const what = `${resourceName(resource)}${which}`;
  let notifyListed = (): void => undefined;
  const listed = new Promise<void>((resolve) => {
    notifyListed = resolve;
  });
  const run = async (): Promise<void> => {
    const scope = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    for await (const event of listWatch(connection, resource, { ...scope, signal })) {
      bars.apply(event);
      if (event.type === 'Interrupted') health.failed(what, event.reason, event.retryInMs);
      // Not after Relisting: a list that has only started does not show that the watch works.
      else if (event.type !== 'Relisting') health.worked(what);
      if (event.type === 'Synced' || event.type === 'Interrupted') notifyListed();
    }
    notifyListed();
  };
  return { listed, running: run() };
}

/** Milliseconds without another failure after which a watch counts as working again. */
export const WELL_AFTER_MS = 15_000;
/** Last characters of the error with which a server answers for a kind that it does not serve. */
const NOT_SERVED = '(HTTP 404)';

export interface ClusterHealthOptions {
  readonly store: Pick<BarStore, 'setSource'>;
  /** Name of the cluster on the page. */
  readonly name: string;
  readonly timers: Timers;
}

/** Combines the states of a cluster's watches into the state of one source, with all their problems in one sentence. */
export class ClusterHealth {
  readonly #options: ClusterHealthOptions;
  readonly #problems = new Map<string, { readonly reason: string; readonly callOff: () => void }>();

  constructor(options: ClusterHealthOptions) {
    this.#options = options;
    this.#notify();
  }

  /**
   * Records a failed watch. It counts as working again after a time without another failure, since a watch does not
   * report that it has recovered.
   */
  failed(what: string, reason: string, retryInMs: number): void {
    this.#problems.get(what)?.callOff();
    const { timers } = this.#options;
    const callOff = timers.after(retryInMs + WELL_AFTER_MS, () => {
      this.worked(what);
    });
    this.#problems.set(what, { reason, callOff });
    this.#notify();
  }

  worked(what: string): void {
    const problem = this.#problems.get(what);
    if (problem === undefined) return;
    problem.callOff();
    this.#problems.delete(what);
    this.#notify();
  }

  #notify(): void {
    const { store, name } = this.#options;
    store.setSource(name, this.#problem());
  }

  #problem(): string | null {
    const all = [...this.#problems];
    const [first] = all;
    if (first === undefined) return null;
    const [what, { reason }] = first;
    const others = all.length === 1 ? '' : ` and ${all.length - 1} more`;
    return all.every(([, one]) => one.reason.endsWith(NOT_SERVED))
      ? `it does not have ${what}${others}: \`lifehook install\` prints what it needs`
      : `${what}: ${reason}${others === '' ? '' : ` (${others.trimStart()})`}`;
  }
}
