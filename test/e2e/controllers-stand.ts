/** The API server and the controllers of the local cluster, in this process: the tests play the node. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureNamespaces } from '../../src/cluster/api/default-objects.ts';
import { makeApiServer } from '../../src/cluster/api/handle.ts';
import { inProcessTransport } from '../../src/cluster/api/in-process-transport.ts';
import { webhookAdmission } from '../../src/cluster/api/admission/webhook-admission.ts';
import { serveCustomKinds } from '../../src/cluster/api/crd/serve-custom-kinds.ts';
import { ResourceRegistry } from '../../src/cluster/api/registry.ts';
import { TokenBook } from '../../src/cluster/api/tokens.ts';
import { builtinControllers } from '../../src/cluster/controllers/builtin.ts';
import type { ControllerContext } from '../../src/cluster/controllers/context.ts';
import { builtinDefinitions } from '../../src/cluster/objects/kinds/definitions.ts';
import { runSnapshotter } from '../../src/cluster/snapshots/snapshotter.ts';
import { openObjectStore } from '../../src/cluster/storage/open-store.ts';
import type { Controller } from '../../src/controller/controller.ts';
import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import type { KubeClient, KubeConnection } from '../../src/kube/client.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { nodeFiles as files } from '../../src/platform/files.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { nodeRandomness as randomness } from '../../src/platform/node-randomness.ts';
import { nodeWebhookCall } from '../../src/platform/node-webhook-call.ts';
import { procTable } from '../../src/store/process-table.ts';

export interface ControllersStand {
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly folder: string;
  /** Ends the controllers and begins them anew, as after a restart. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface StandOptions {
  readonly makeControllers?: (context: ControllerContext) => readonly Controller[];
  readonly authority?: string;
}

export async function openControllers(options: StandOptions = {}): Promise<ControllersStand> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-controllers-'));
  const { clock, timers } = platform;
  const processes = procTable(files);
  const state = { files, folder: join(folder, 'api'), processes };
  const store = await openObjectStore({ ...state, clock, timers });
  const registry = new ResourceRegistry(builtinDefinitions());
  const call = nodeWebhookCall();
  const webhooks = webhookAdmission({ store, registry, platform, randomness, call });
  const { kinds, admission } = serveCustomKinds({ store, registry, platform }, webhooks);
  await kinds.start();
  const tokens = new TokenBook({ clock, randomness, adminToken: 'administrator' });
  const server = makeApiServer({ store, registry, platform, randomness, tokens, admission });
  const transport = inProcessTransport(server, platform.timers);
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
      await kinds.stop();
      transport.close();
      await store.close();
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
