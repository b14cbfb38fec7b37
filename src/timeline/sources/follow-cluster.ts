/**
 * What a cluster knows of its hooks: snapshots and rollouts by the status of their objects, pods by Events. History is
 * as long as the objects are kept.
 */
import type { KubeConnection } from '../../kube/client.ts';
import { listWatch } from '../../kube/list-watch.ts';
import { type KubeObject, type Resource, resourceName } from '../../kube/object.ts';
import { events } from '../../kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import { applicationSnapshots, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import type { Bar } from '../bar.ts';
import type { BarStore } from '../bar-store.ts';
import { ClusterHealth } from './cluster-health.ts';
import { executionHookBars } from './hook-bars.ts';
import { hookRunBars } from './hook-run-bars.ts';
import { ObjectBars, type ObjectBarsOptions } from './object-bars.ts';
import { POD_EVENT_REASONS, podEventBars } from './pod-event-bars.ts';
import { isPhaseBar, lifecycleBars } from './rollout-bars.ts';
import { keptFreezes, snapshotBars } from './snapshot-bars.ts';

export interface FollowClusterOptions {
  readonly connection: KubeConnection;
  readonly store: Pick<BarStore, 'put' | 'get' | 'setSource'>;
  /** How the cluster is called on the page. */
  readonly name: string;
  /** Absent: all. */
  readonly namespace?: string;
  /** Whether failed hooks of pods are taken from Events: not where the node's own records are read, or Events may not be. */
  readonly podEvents: boolean;
  readonly signal: CancelSignal;
}

export interface FollowedCluster {
  /** Resolves when everything that is there was told, or cannot be. */
  readonly listed: Promise<void>;
  /** Until the signal aborts. */
  readonly running: Promise<void>;
}

export function followCluster(options: FollowClusterOptions): FollowedCluster {
  const { connection, podEvents } = options;
  const { clock } = connection.platform;
  const { store } = options;
  const { timers } = connection.platform;
  const health = new ClusterHealth({ store, name: options.name, timers });
  const follow = <T extends KubeObject>(
    resource: Resource<T>,
    how: Pick<ObjectBarsOptions<T>, 'barsOf' | 'keptBarsOf' | 'succeeded'>,
    fieldSelector?: string,
  ): Following =>
    followKind(
      { resource, fieldSelector, options, health },
      new ObjectBars({ store, clock, ...how }),
    );
  const all = [
    follow(executionHooks, { barsOf: executionHookBars }),
    follow(applicationSnapshots, { barsOf: snapshotBars, keptBarsOf: keptFreezes }),
    follow(deploymentLifecycles, { barsOf: lifecycleBars, succeeded: endOfPhase }),
    follow(hookRuns, { barsOf: hookRunBars }),
    // Of each reason a watch of its own: a cluster has many Events, and hardly any of these.
    ...(podEvents
      ? POD_EVENT_REASONS.map((reason) =>
          follow(events, { barsOf: podEventBars }, `reason=${reason}`),
        )
      : []),
  ];
  return {
    listed: Promise.all(all.map(({ listed }) => listed)).then(() => undefined),
    running: Promise.all(all.map(({ running }) => running)).then(() => undefined),
  };
}

interface Following {
  readonly listed: Promise<void>;
  readonly running: Promise<void>;
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
  let tellListed = (): void => undefined;
  const listed = new Promise<void>((resolve) => {
    tellListed = resolve;
  });
  const run = async (): Promise<void> => {
    const scope = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    for await (const event of listWatch(connection, resource, { ...scope, signal })) {
      bars.apply(event);
      if (event.type === 'Interrupted') health.failed(what, event.reason, event.retryInMs);
      // A list that is only begun proves nothing.
      else if (event.type !== 'Relisting') health.worked(what);
      if (event.type === 'Synced' || event.type === 'Interrupted') tellListed();
    }
    tellListed();
  };
  return { listed, running: run() };
}

/** A phase of a rollout has ended when the next has begun, or the rollout is over. */
export function endOfPhase(bar: Bar, now: readonly Bar[]): Bar {
  if (!isPhaseBar(bar)) return bar;
  const [whole] = now;
  const next = now.find(isPhaseBar);
  const endMs = Math.max(bar.startMs, next?.startMs ?? whole?.endMs ?? 0);
  const isLast = next === undefined && whole?.outcome === 'Failed';
  // What it was waiting for is over.
  const { reason: _, ...ended } = bar;
  return { ...ended, endMs, outcome: isLast ? 'Failed' : 'Succeeded' };
}
