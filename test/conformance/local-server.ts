/**
 * The local cluster's API server without a socket. Only the garbage collector and the namespace controller run, so all
 * changes are caused by the requests.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  ensureNamespaces,
  makeGarbageCollector,
  makeNamespaceController,
  openApiServer,
} from '../../packages/local-cluster/src/testing.ts';
import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import type { KubeConnection } from '../../src/kube/client.ts';
import { listWatch } from '../../src/kube/list-watch.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { namespaces, serviceAccounts } from '../../src/kube/resources.ts';
import type { HttpTransport } from '../../src/platform/http-transport.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { nodeRandomness as randomness } from '../../src/platform/randomness.ts';
import { type Server, serviceAccount } from './play.ts';

export interface OpenServer extends Server, AsyncDisposable {}

export async function openLocalServer(): Promise<OpenServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-conformance-'));
  const server = await openApiServer({ platform, randomness, folder });
  const { transport } = server;
  const connection = { transport, platform, userAgent: 'conformance', random: Math.random };
  const client = makeKubeClient(connection);
  await ensureNamespaces(client);
  const namespace = `conformance-${randomBytes(4).toString('hex')}`;
  const liveNamespace = `conformance-${randomBytes(4).toString('hex')}`;
  for (const name of [namespace, liveNamespace]) {
    await client.create(namespaces, { metadata: { name, labels: { run: name } } });
    await client.create(serviceAccounts, serviceAccount(name));
  }
  const live = onlyIn(transport, liveNamespace);
  const stop = startControllers({ ...connection, transport: live }, folder);
  return {
    transport,
    namespace,
    liveNamespace,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A transport for the controllers that writes in one namespace only; in other namespaces it only reads. */
function onlyIn(transport: HttpTransport, namespace: string): HttpTransport {
  return {
    ...transport,
    request: (request) => {
      const allowed = request.method === 'GET' || request.path.includes(`/${namespace}`);
      if (allowed) return transport.request(request);
      return transport.request({ ...request, path: '/held', method: 'GET' });
    },
  };
}

function startControllers(connection: KubeConnection, stateFolder: string): () => Promise<void> {
  const { random } = connection;
  const client = makeKubeClient(connection);
  const recorder = new EventRecorder({ client, component: 'conformance', platform, random });
  const informers = new SharedInformers({
    watch: ({ resource, scope, signal }) => listWatch(connection, resource, { ...scope, signal }),
  });
  const context = { client, informers, recorder, platform, random, stateFolder };
  const controllers = [makeGarbageCollector(context), makeNamespaceController(context)];
  const stopping = new AbortController();
  const running = runManager({ informers, controllers, election: null, signal: stopping.signal });
  return async () => {
    await recorder.stop();
    stopping.abort();
    await running;
  };
}
