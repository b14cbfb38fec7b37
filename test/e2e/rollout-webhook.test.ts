/** The webhooks of the controllers on a local cluster: changes of certificates and configurations while they run. */
import type { Secret } from 'kubernetes-types/core/v1.js';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startWebhook, type Webhook } from '../../src/cli/controller/webhook.ts';
import { webhookKey } from '../../src/cli/controller/secret-store.ts';
import { getOrNull } from '../../src/kube/get-or-null.ts';
import type { Resource } from '../../src/kube/object.ts';
import {
  deployments,
  mutatingWebhookConfigurations,
  secrets,
  validatingWebhookConfigurations,
} from '../../src/kube/resources.ts';
import { type MadeCertificate, makeAuthority } from '../../src/platform/node-certificate.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

const NAMESPACE = 'kube-system';
const SECRET = { namespace: NAMESPACE, name: 'lifehook-webhook' };
const GATE = { name: 'lifehook-rollout-gate' };
const DAY_MS = 86_400_000;
const address = { host: '127.0.0.1', port: 0 };

let cluster: ClusterStand;
let webhook: Webhook;
const failures: unknown[] = [];

beforeAll(async () => {
  cluster = await openCluster();
  webhook = await start();
});

afterAll(async () => {
  await webhook.close();
  await cluster[Symbol.asyncDispose]();
});

function start(): Promise<Webhook> {
  const observe = (error: unknown): void => {
    failures.push(error);
  };
  const { client } = cluster;
  return startWebhook({ client, namespace: NAMESPACE, address, periodMs: 200, observe });
}

/** Whether the server would store a new Deployment paused; rejects if it does not trust the webhook. */
async function isGated(): Promise<boolean> {
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'none', command: ['sleep', '9'] }];
  const web = {
    metadata: { namespace: 'default', name: 'web', labels: { 'lifehook.dev/gated': 'true' } },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
  const { spec } = await cluster.client.create(deployments, web, { dryRun: true });
  return spec?.paused === true;
}

function shown(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: webhook.port, rejectUnauthorized: false });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      socket.destroy();
    });
  });
}

async function changeSecret(change: (data: Record<string, string>) => void): Promise<Secret> {
  const secret = await cluster.client.get(secrets, SECRET);
  const data = { ...secret.data };
  change(data);
  return cluster.client.replace(secrets, { ...secret, data });
}

async function trusted(): Promise<string> {
  const { webhooks } = await cluster.client.get(mutatingWebhookConfigurations, GATE);
  return atob(webhooks?.[0]?.clientConfig.caBundle ?? '');
}

it('the gate is active after the start of the webhook', async () => {
  expect(await isGated()).toBe(true);
});

it('deleted webhook configurations are created again', async () => {
  const both = [mutatingWebhookConfigurations, validatingWebhookConfigurations] as Resource[];
  for (const resource of both) {
    const { metadata: removed } = await cluster.client.get(resource, GATE);
    await cluster.client.delete(resource, GATE);
    await eventually(`another ${resource.kind} is there`, async () => {
      const found = await getOrNull(cluster.client, resource, GATE);
      return found !== null && found.metadata?.uid !== removed?.uid;
    });
  }
  expect(await isGated()).toBe(true);
});

it('a weakened failurePolicy is restored to Fail', async () => {
  const body = [{ op: 'replace', path: '/webhooks/1/failurePolicy', value: 'Ignore' }];
  await cluster.client.patch(mutatingWebhookConfigurations, GATE, { type: 'json', body });
  await eventually('Fail again', async () => {
    const { webhooks } = await cluster.client.get(mutatingWebhookConfigurations, GATE);
    return webhooks?.[1]?.failurePolicy === 'Fail';
  });
});

it('a new server certificate is served without a restart and without a refused request', async () => {
  const before = await shown();
  await changeSecret((data) => {
    delete data['server.crt'];
  });
  await eventually('another certificate', async () => {
    expect(await isGated()).toBe(true);
    return (await shown()) !== before;
  });
});

it('an expiring authority is replaced by a new one, and both are trusted', async () => {
  const nowMs = Date.now();
  const ending = authority(nowMs - 3_600 * DAY_MS, nowMs + 50 * DAY_MS);
  await changeSecret((data) => {
    data['ca.crt'] = btoa(ending.certificate);
    data['ca.key'] = btoa(ending.key);
  });
  await eventually('a next one is made, and trusted', async () => {
    const { data = {} } = await cluster.client.get(secrets, SECRET);
    const next = atob(data['next-ca.crt'] ?? '');
    return next !== '' && (await trusted()) === `${ending.certificate}${next}`;
  });
  await eventually('the one that ends signs', () => isGated().catch(() => false));
  const before = await shown();
  // A CA that was made two days ago. A new CA may sign one day after it was made, when clients know it.
  const known = authority(nowMs - 2 * DAY_MS, nowMs + 3_000 * DAY_MS);
  await changeSecret((data) => {
    data['next-ca.crt'] = btoa(known.certificate);
    data['next-ca.key'] = btoa(known.key);
  });
  await eventually('the next one signs', async () => {
    expect(await isGated()).toBe(true);
    return (await shown()) !== before;
  });
  expect(await trusted()).toBe(`${ending.certificate}${known.certificate}`);
});

function authority(notBeforeMs: number, notAfterMs: number): MadeCertificate {
  return makeAuthority({ commonName: 'lifehook-local-cluster', notBeforeMs, notAfterMs });
}

it('concurrent requests for the key of write proofs get the same key', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => webhookKey(cluster.client, NAMESPACE)));
  expect(new Set(keys).size).toBe(1);
  expect(await webhookKey(cluster.client, 'default')).not.toBe(keys[0]);
});

it('a restarted webhook listens on the same port, so that its configurations stay valid', async () => {
  const { port } = webhook;
  await webhook.close();
  await expect(isGated()).rejects.toThrow('failed calling webhook "gate.rollout.lifehook.dev"');
  webhook = await start();
  expect(webhook.port).toBe(port);
  expect(await isGated()).toBe(true);
});

it('the webhook reported no failure in any test', () => {
  expect(failures).toEqual([]);
});
