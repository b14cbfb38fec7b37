/** Builds the controllers of all lifecycles of one cluster with their dependencies. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import type { Controller } from '../../controller/controller.ts';
import type { Observe } from '../../controller/controller-event.ts';
import { EventRecorder } from '../../controller/event-recorder.ts';
import { SharedInformers, type WatchScope } from '../../controller/shared-informers.ts';
import { watchCluster } from '../../controller/watch-cluster.ts';
import type { KubeClient, KubeConnection } from '../../kube/client.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import { readReferencedSecrets } from '../../kube/referenced-secrets.ts';
import { leases } from '../../kube/resources.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { nodeTimers } from '../../platform/timers.ts';
import { randomFraction } from '../../platform/randomness.ts';
import { controllerParts } from '../lifecycle-controllers.ts';
import type { CacheOf, ControllersOf, ControllersWorld } from '../lifecycle-parts.ts';
import { LEASE_NAME } from './controller-election.ts';

export interface ControllersOptions {
  /** Opens a connection to the cluster. It is called twice, because thaws have separate sockets. */
  readonly connect: () => KubeConnection;
  readonly scope: WatchScope;
  /** Hosts to which hooks may send requests, besides their pods. Absent: no other hosts. */
  readonly allowedHosts?: readonly string[];
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController: Observe;
  /** Marks the controllers' writes for the webhook; null: no webhook is served. */
  readonly webhookKey: string | null;
  /** The controllers to build. Absent: those of all lifecycles. */
  readonly parts?: readonly ControllersOf[];
}

export interface Controllers {
  readonly informers: SharedInformers;
  readonly cacheOf: CacheOf;
  readonly controllers: readonly Controller[];
  readonly recorder: EventRecorder;
  /** True: the caches that a ready process needs are filled. */
  readonly hasSynced: () => boolean;
}

export function controllersOf(options: ControllersOptions): Controllers {
  const { connect, scope, allowedHosts = [], observeController, webhookKey } = options;
  const { parts = Object.values(controllerParts), observe } = options;
  const connection = connect();
  const informers = new SharedInformers({
    watch: watchCluster(connection),
    observe: observeController,
  });
  const world = {
    client: makeKubeClient(connection),
    platform: nodePlatform,
    random: randomFraction,
  };
  const { client } = world;
  const component = 'lifehook-controller';
  const recorder = new EventRecorder({ ...world, component, observe: observeController });
  const after = (ms: number, callback: () => void): (() => void) =>
    nodePlatform.timers.after(ms, callback);
  const all: ControllersWorld = {
    ...world,
    connection,
    connect,
    informers,
    scope,
    recorder,
    secretsOf: (key) => readReferencedSecrets({ client, after }, key),
    allowedHosts,
    webhookKey,
    observe,
    observeController,
  };
  const open = parts.map((part) => part(all));
  return {
    informers,
    cacheOf: (resource) => informers.of(resource, { scope }),
    controllers: open.flatMap(({ controllers }) => controllers),
    recorder,
    hasSynced: () => open.every(({ cache }) => cache.hasSynced),
  };
}

/** Milliseconds between two reads of the Leases. */
const POLL_MS = 500;
const MS = 1_000;
const DEFAULT_DURATION_SECONDS = 15;

/** The Leases of controllers in all namespaces. */
export async function readLeases(client: KubeClient): Promise<readonly Lease[]> {
  return (await client.list(leases, { fieldSelector: `metadata.name=${LEASE_NAME}` })).items;
}

/** Like `readLeases`, but waits until there is a Lease, at most for the usual duration of a Lease. */
export async function awaitLeases(client: KubeClient): Promise<readonly Lease[]> {
  const endMs = Date.now() + DEFAULT_DURATION_SECONDS * MS;
  for (;;) {
    const found = await readLeases(client);
    if (found.length > 0 || Date.now() >= endMs) return found;
    await sleep(nodeTimers, POLL_MS);
  }
}

/** The first Lease that is being renewed; null: none was renewed within its duration. */
export async function findRenewed(
  client: KubeClient,
  found: readonly Lease[],
): Promise<Lease | null> {
  if (found.length === 0) return null;
  return found.find(isFresh) ?? (await renewedMeanwhile(client, found));
}

function isFresh({ spec }: Lease): boolean {
  const { renewTime, leaseDurationSeconds = DEFAULT_DURATION_SECONDS } = spec ?? {};
  const age = Date.now() - Date.parse(renewTime ?? '');
  return age >= 0 && age < leaseDurationSeconds * MS;
}

/**
 * The first Lease that changes within its duration; null: none changes. If the clocks of this machine and of the
 * cluster differ, only a change proves a renewal.
 */
async function renewedMeanwhile(
  client: KubeClient,
  before: readonly Lease[],
): Promise<Lease | null> {
  const versions = new Set(before.map(({ metadata }) => metadata?.resourceVersion));
  const seconds = Math.max(
    ...before.map(({ spec }) => spec?.leaseDurationSeconds ?? DEFAULT_DURATION_SECONDS),
  );
  const endMs = Date.now() + seconds * MS;
  while (Date.now() < endMs) {
    await sleep(nodeTimers, POLL_MS);
    const now = await readLeases(client);
    const renewed = now.find(({ metadata }) => !versions.has(metadata?.resourceVersion));
    if (renewed !== undefined) return renewed;
  }
  return null;
}
