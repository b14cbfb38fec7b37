/** Builds the controllers of all lifecycles of one cluster with their dependencies. */
import type { Controller } from '../../controller/controller.ts';
import type { Observe } from '../../controller/controller-event.ts';
import { EventRecorder } from '../../controller/event-recorder.ts';
import { SharedInformers, type WatchScope } from '../../controller/shared-informers.ts';
import { watchCluster } from '../../controller/watch-cluster.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import { readReferencedSecrets } from '../../kube/referenced-secrets.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { controllerParts } from '../lifecycle-controllers.ts';
import type { CacheOf, ControllersOf, ControllersWorld } from '../lifecycle-parts.ts';

export interface ControllersOptions {
  /** Opens a connection to the cluster: called twice, since thaws have separate sockets. */
  readonly connect: () => KubeConnection;
  readonly scope: WatchScope;
  /** Hosts to which hooks may send requests, besides their pods. Absent: none. */
  readonly allowedHosts?: readonly string[];
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController: Observe;
  /** Marks the controllers' writes for the webhook; null: none is served. */
  readonly webhookKey: string | null;
  /** Absent: those of all lifecycles. */
  readonly parts?: readonly ControllersOf[];
}

export interface Controllers {
  readonly informers: SharedInformers;
  readonly cacheOf: CacheOf;
  readonly controllers: readonly Controller[];
  readonly recorder: EventRecorder;
  /** True: the caches are filled that a ready process needs. */
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
  const world = { client: makeKubeClient(connection), platform: nodePlatform, random: Math.random };
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
