/**
 * Reads the hooks of a cluster: snapshots and rollouts from the status of their objects, pods from Events. The history
 * is as long as the objects exist.
 */
import type { Event } from 'kubernetes-types/core/v1.js';

import type { KubeConnection } from '../../kube/client.ts';
import { listWatch } from '../../kube/list-watch.ts';
import { type KubeObject, type Resource, resourceName } from '../../kube/object.ts';
import { events } from '../../kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import { applicationSnapshots, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import type { CancelSignal, Timers } from '../../platform/platform.ts';
import type { BarStore } from '../bar-store.ts';
import type { Bar } from '../bar.ts';
import { executionHookBars } from './snapshot/hook-bars.ts';
import { hookRunBars } from './rollout/hook-run-bars.ts';
import { ObjectBars, type ObjectBarsOptions } from './object-bars.ts';
import { isPhaseBar, lifecycleBars } from './rollout/rollout-bars.ts';
import { msOf } from './run-bars.ts';
import { keptFreezes, snapshotBars } from './snapshot/snapshot-bars.ts';

export interface FollowClusterOptions {
  readonly connection: KubeConnection;
  readonly store: Pick<BarStore, 'put' | 'get' | 'setSource'>;
  /** Name of the cluster on the page. */
  readonly name: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** True: read failed pod hooks from Events. False if the node's records are read, or Events may not be read. */
  readonly podEvents: boolean;
  readonly signal: CancelSignal;
}

export interface FollowedCluster {
  /** Resolves when every existing object was reported, or cannot be read. */
  readonly listed: Promise<void>;
  /** Resolves after the signal has aborted. */
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
    // A separate watch for each reason: a cluster has many Events, and hardly any with these.
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
      // A list that has only started proves nothing.
      else if (event.type !== 'Relisting') health.worked(what);
      if (event.type === 'Synced' || event.type === 'Interrupted') tellListed();
    }
    tellListed();
  };
  return { listed, running: run() };
}

/** A phase of a rollout ends when the next one starts, or the rollout ends. */
export function endOfPhase(bar: Bar, now: readonly Bar[]): Bar {
  if (!isPhaseBar(bar)) return bar;
  const [whole] = now;
  const next = now.find(isPhaseBar);
  const endMs = Math.max(bar.startMs, next?.startMs ?? whole?.endMs ?? 0);
  const isLast = next === undefined && whole?.outcome === 'Failed';
  // The reason of its wait no longer applies.
  const { reason: _, ...ended } = bar;
  return { ...ended, endMs, outcome: isLast ? 'Failed' : 'Succeeded' };
}

const POINTS: Readonly<Record<string, string>> = {
  FailedPostStartHook: 'postStart',
  FailedPreStopHook: 'preStop',
};

/** The Event reasons that are read. */
const POD_EVENT_REASONS: readonly string[] = Object.keys(POINTS);

/**
 * The span of a failed pod hook, from its Event. A cluster emits no Event for a hook that succeeded, and none has its
 * duration. Pure.
 */
export function podEventBars(event: Event): Bar[] {
  const { metadata, involvedObject, reason = '', message, count = 1 } = event;
  const point = POINTS[reason];
  const times = timesOf(event);
  if (point === undefined || involvedObject.kind !== 'Pod' || times === null) return [];
  const { namespace = '', name = '' } = involvedObject;
  return [
    {
      id: `pod/event/${metadata.uid}`,
      lifecycle: 'pod',
      lane: [namespace, name, ...containerOf(event)].join('/'),
      kind: 'hook',
      run: name,
      point,
      name: point,
      attempt: null,
      ...times,
      outcome: 'Failed',
      ...(message === undefined ? {} : { reason: message }),
      where: `Pod ${namespace}/${name}`,
      evidence: { 'told by': 'an Event of the cluster', times: `${count}` },
      next: `kubectl describe pod -n ${namespace} ${name}`,
    },
  ];
}

/** null: the Event has no valid time. */
function timesOf(event: Event): Pick<Bar, 'startMs' | 'endMs'> | null {
  const { firstTimestamp, lastTimestamp, eventTime, metadata } = event;
  const lastMs = msOf(lastTimestamp) ?? msOf(eventTime) ?? msOf(metadata.creationTimestamp);
  return lastMs === null ? null : { startMs: msOf(firstTimestamp) ?? lastMs, endMs: lastMs };
}

/** Example: "spec.containers{web}": web. */
function containerOf({ involvedObject: { fieldPath = '' } }: Event): string[] {
  const container = /\{(.+)\}/.exec(fieldPath)?.[1];
  return container === undefined ? [] : [container];
}

/** Milliseconds without another failure after which a watch counts as working again. */
export const WELL_AFTER_MS = 15_000;
/** End of a server's error for a kind that it does not serve. */
const NOT_SERVED = '(HTTP 404)';

export interface ClusterHealthOptions {
  readonly store: Pick<BarStore, 'setSource'>;
  /** Name of the cluster on the page. */
  readonly name: string;
  readonly timers: Timers;
}

/** Combines the states of a cluster's watches into the state of one source: all problems in one sentence. */
export class ClusterHealth {
  readonly #options: ClusterHealthOptions;
  readonly #problems = new Map<string, { readonly reason: string; readonly callOff: () => void }>();

  constructor(options: ClusterHealthOptions) {
    this.#options = options;
    this.#tell();
  }

  /** A watch does not report its recovery, so it counts as working after a silence. */
  failed(what: string, reason: string, retryInMs: number): void {
    this.#problems.get(what)?.callOff();
    const { timers } = this.#options;
    const callOff = timers.after(retryInMs + WELL_AFTER_MS, () => {
      this.worked(what);
    });
    this.#problems.set(what, { reason, callOff });
    this.#tell();
  }

  worked(what: string): void {
    const problem = this.#problems.get(what);
    if (problem === undefined) return;
    problem.callOff();
    this.#problems.delete(what);
    this.#tell();
  }

  #tell(): void {
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
