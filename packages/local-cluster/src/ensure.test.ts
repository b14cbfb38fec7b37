import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';

import type { KubeClient } from '../../../src/kube/client.ts';
import { makeKubeClient } from '../../../src/kube/make-client.ts';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import { ApiStand } from '../test/api-stand.ts';
import { ensureKubernetesService, ensureNamespaces } from './api/default-objects.ts';
import type { ControllerContext } from './controllers/context.ts';
import { makeDefaultClassController } from './controllers/volumes/decide-claim.ts';
import { registerNode } from './node/node-object.ts';
import { runSnapshotter, type RunOptions } from './snapshots/snapshotter.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

let stand: ApiStand;
let client: KubeClient;

beforeEach(async () => {
  stand = await ApiStand.open();
  const { transport } = stand;
  client = makeKubeClient({
    transport,
    platform: nodePlatform,
    userAgent: 'test',
    random: () => 0,
  });
});

afterEach(async () => {
  await stand.close();
});

/** Creates what a start of the cluster needs, and resolves once the snapshotter has its kinds. */
async function start(): Promise<void> {
  await ensureNamespaces(client);
  await registerNode(client, {
    name: 'lifehook',
    hostIp: '127.0.0.1',
    nowMs: 0,
    operatingSystem: 'linux',
    architecture: 'amd64',
    cpus: 1,
    memoryBytes: 1,
    runtimeVersion: 'process://1',
  });
  await ensureKubernetesService(client, { host: '127.0.0.1', port: 6_443 });
  await makeDefaultClassController({ client } as ControllerContext).run({} as never);
  const stopping = new AbortController();
  await runSnapshotter({
    client,
    platform: nodePlatform,
    random: () => 0,
    recorder: { record: () => undefined },
    watch: () => {
      stopping.abort();
      return Readable.from([]);
    },
    election: null,
    signal: stopping.signal,
  } as unknown as RunOptions);
}

it.each(['*', '*/*'])(
  'starts again although a webhook for %s cannot be called',
  async (resource) => {
    await start();
    const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource] };
    const webhook = {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [rule],
    };
    const made = await stand.call(CONFIGURATIONS, {
      method: 'POST',
      body: { metadata: { name: 'a' }, webhooks: [webhook] },
    });
    expect(made.status).toBe(201);
    const refused = await stand.call('/api/v1/namespaces', {
      method: 'POST',
      body: { metadata: { name: 'x' } },
    });
    expect(refused.status).toBe(500);
    await start();
  },
);
