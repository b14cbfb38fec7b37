/** The API server and the controllers of the local cluster, in this process. The tests act as the node. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  builtinControllers,
  type ControllerContext,
  ensureNamespaces,
  openApiServer,
  runSnapshotter,
} from '../../packages/local-cluster/src/testing.ts';
import type { Controller } from '../../src/controller/controller.ts';
import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import type { KubeClient, KubeConnection } from '../../src/kube/client.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { nodeRandomness as randomness } from '../../src/platform/randomness.ts';
import { nodeWebhookCall } from '../../src/platform/node-webhook-call.ts';

export interface ControllersStand {
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly folder: string;
  /** Stops the controllers and starts them again, as after a restart. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface StandOptions {
  readonly makeControllers?: (context: ControllerContext) => readonly Controller[];
  readonly authority?: string;
}

export async function openControllers(options: StandOptions = {}): Promise<ControllersStand> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-controllers-'));
  const webhookCall = nodeWebhookCall();
  const api = join(folder, 'api');
  const server = await openApiServer({ platform, randomness, folder: api, webhookCall });
  const { transport } = server;
  const connection: KubeConnection = {
    transport,
    platform,
    userAgent: 'controllers-stand',
    random: Math.random,
  };
  const client = makeKubeClient(connection);
  await ensureNamespaces(client);
  let controllers = runControllers(connection, folder, options);
  return {
    client,
    connection,
    folder,
    restart: async () => {
      await controllers.stop();
      controllers = runControllers(connection, folder, options);
    },
    close: async () => {
      await controllers.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runControllers(
  connection: KubeConnection,
  stateFolder: string,
  { makeControllers = builtinControllers, authority }: StandOptions,
): { stop: () => Promise<void> } {
  const client = makeKubeClient(connection);
  const { random } = connection;
  const recorder = new EventRecorder({ client, component: 'lifehook', platform, random });
  const informers = new SharedInformers({ watch: watchCluster(connection) });
  const context: ControllerContext = {
    client,
    informers,
    recorder,
    platform,
    random,
    stateFolder,
    ...(authority === undefined ? {} : { authority }),
  };
  const controllers = makeControllers(context);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = Promise.all([
    runManager({ informers, controllers, election: null, signal }),
    runSnapshotter({ ...context, watch: informers.watch, election: null, signal }),
  ]);
  return {
    stop: async () => {
      await recorder.stop();
      stopping.abort();
      await running;
    },
  };
}
