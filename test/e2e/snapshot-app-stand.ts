/**
 * The snapshot controller alone, on the local cluster in this process. The test acts as the hook controller
 * (`snapshot-app-hooks.ts`). For volumes of another driver the test also acts as the snapshotter.
 */
import { setMaxListeners } from 'node:events';

import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { createOrGet } from '../../src/kube/get-or-null.ts';
import { customResourceDefinitions, events } from '../../src/kube/resources.ts';
import { groupSnapshots } from '../../src/kube/snapshots.ts';
import { makeSnapshotController } from '../../src/lifecycles/snapshot/app/drive.ts';
import type { ContainerAccess } from '../../src/lifecycles/snapshot/context.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  executionHooks,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { snapshotDefinitions } from '../../src/lifecycles/snapshot/schema/definitions.ts';
import type { SnapshotEvent } from '../../src/lifecycles/snapshot/snapshot-event.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ControllersStand, openControllers } from './controllers-stand.ts';

export interface AppStand {
  readonly client: KubeClient;
  readonly cluster: ControllersStand;
  /** Events of the controller about all snapshots, in order. */
  readonly reported: readonly SnapshotEvent[];
  /** Starts the controller. `wrap` may make its client refuse requests; `platform` may shorten every wait. */
  start(wrap?: (client: KubeClient) => KubeClient, platform?: Platform): void;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** This controller runs no command in containers. */
const NO_ACCESS = {} as ContainerAccess;

/** As in `lifehook controller`, all controllers and caches listen to one stop signal. */
const MAX_LISTENERS = 10_000;

export async function openApp(): Promise<AppStand> {
  setMaxListeners(MAX_LISTENERS);
  const cluster = await openControllers();
  const { client, connection } = cluster;
  for (const definition of snapshotDefinitions()) {
    await createOrGet(client, customResourceDefinitions, definition as object);
  }
  for (const resource of [applicationSnapshots, executionHooks, groupSnapshots]) {
    await eventually(`${resource.kind} is served`, async () => {
      try {
        return await client.list(resource as typeof executionHooks);
      } catch {
        return null;
      }
    });
  }
  const reported: SnapshotEvent[] = [];
  let stopRunning = async (): Promise<void> => {};
  const start: AppStand['start'] = (wrap = (plain) => plain, platform = nodePlatform) => {
    const stopping = new AbortController();
    const informers = new SharedInformers({ watch: watchCluster(connection) });
    const { random } = connection;
    const recorder = new EventRecorder({ client, component: 'lifehook', platform, random });
    const controller = makeSnapshotController({
      client: wrap(client),
      informers,
      scope: {},
      recorder,
      platform,
      random,
      freezing: NO_ACCESS,
      thawing: NO_ACCESS,
      observe: (event) => {
        reported.push(event);
      },
      observeController: () => {},
    });
    const { signal } = stopping;
    const running = runManager({ informers, controllers: [controller], election: null, signal });
    stopRunning = async () => {
      await recorder.stop();
      stopping.abort();
      await running;
    };
  };
  const stop = (): Promise<void> => stopRunning();
  const close = async (): Promise<void> => {
    await stop();
    await cluster.close();
  };
  start();
  return { client, cluster, reported, start, stop, close };
}

export async function snapshotOf(
  { client }: AppStand,
  { namespace, name }: { namespace: string; name: string },
): Promise<ApplicationSnapshot> {
  return client.get(applicationSnapshots, { namespace, name });
}

/** Resolves once the snapshot is in a terminal state. */
export async function settled(
  stand: AppStand,
  key: { namespace: string; name: string },
): Promise<ApplicationSnapshot> {
  return eventually(`${key.name} is over`, async () => {
    const found = await snapshotOf(stand, key);
    return found.status?.completedAt === undefined ? null : found;
  });
}

/** Reasons of the Events of an object, without duplicates. */
export async function reasonsOf(
  { client }: AppStand,
  { namespace, name }: { namespace: string; name: string },
): Promise<readonly string[]> {
  const { items } = await client.list(events, { namespace });
  const own = items.filter(({ involvedObject }) => involvedObject.name === name);
  return [...new Set(own.map(({ reason = '' }) => reason))].toSorted();
}
