/**
 * What a cluster knows of its hooks: snapshots and rollouts by the status of their objects, pods by Events. History is
 * as long as the objects are kept.
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

const POINTS: Readonly<Record<string, string>> = {
  FailedPostStartHook: 'postStart',
  FailedPreStopHook: 'preStop',
};

/** Of the Events that tell something. */
const POD_EVENT_REASONS: readonly string[] = Object.keys(POINTS);

/**
 * What a cluster tells of the hooks of its pods: that one has failed, as an Event. Of those that ran well it tells
 * nothing, and of none how long it took. Pure.
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

/** null: the Event tells none that could be read. */
function timesOf(event: Event): Pick<Bar, 'startMs' | 'endMs'> | null {
  const { firstTimestamp, lastTimestamp, eventTime, metadata } = event;
  const lastMs = msOf(lastTimestamp) ?? msOf(eventTime) ?? msOf(metadata.creationTimestamp);
  return lastMs === null ? null : { startMs: msOf(firstTimestamp) ?? lastMs, endMs: lastMs };
}

/** "spec.containers{web}": web. */
function containerOf({ involvedObject: { fieldPath = '' } }: Event): string[] {
  const container = /\{(.+)\}/.exec(fieldPath)?.[1];
  return container === undefined ? [] : [container];
}

/** Longer without another failure: it is taken for well again. */
export const WELL_AFTER_MS = 15_000;
/** How the answer of a server ends that has no such kind. */
const NOT_SERVED = '(HTTP 404)';

export interface ClusterHealthOptions {
  readonly store: Pick<BarStore, 'setSource'>;
  /** How the cluster is called on the page. */
  readonly name: string;
  readonly timers: Timers;
}

/** How well the watches of a cluster are, as the state of one source: what is wrong with any of them, in one sentence. */
export class ClusterHealth {
  readonly #options: ClusterHealthOptions;
  readonly #problems = new Map<string, { readonly reason: string; readonly callOff: () => void }>();

  constructor(options: ClusterHealthOptions) {
    this.#options = options;
    this.#tell();
  }

  /** A watch says nothing when it is well again, so that silence has to do. */
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
