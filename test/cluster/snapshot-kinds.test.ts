/** The snapshot kinds on a real server: objects that the definitions refuse, and objects that our webhook refuses. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeObject, Resource } from '../../src/kube/object.ts';
import { namespaces, validatingWebhookConfigurations } from '../../src/kube/resources.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { type AdmissionWebhook, openAdmissionWebhook } from '../fixtures/admission-webhook.ts';
import { defineSnapshotKinds, SNAPSHOT_KINDS } from '../fixtures/define-snapshot-kinds.ts';
import {
  refusalOf,
  ruleRefusals,
  schemaRefusals,
  webhookRefusals,
} from '../fixtures/snapshot-refusals.ts';
import { eventually } from './controller-stand.ts';
import { connectToCluster, makeNamespace } from './real-cluster.ts';

const { client, connection } = connectToCluster();
let namespace: string;
let removeNamespace: () => Promise<void>;
let removeKinds: () => Promise<void>;
let webhook: AdmissionWebhook;

beforeAll(async () => {
  removeKinds = await defineSnapshotKinds(client);
  ({ namespace, remove: removeNamespace } = await makeNamespace(client, 'snapshot-kinds'));
  webhook = await openAdmissionWebhook(() => undefined);
});

afterAll(async () => {
  await client.delete(validatingWebhookConfigurations, { name: namespace });
  for (const resource of SNAPSHOT_KINDS) {
    for (const { metadata } of (await client.list(resource, { namespace })).items) {
      await client.delete(resource, { namespace, name: metadata?.name ?? '' });
    }
  }
  await removeNamespace();
  await removeKinds();
  await webhook[Symbol.asyncDispose]();
  connection.transport.close();
});

const refused = (object: KubeObject): Promise<string> => refusalOf(client, { object, namespace });

async function take<T extends KubeObject>(resource: Resource<T>, sample: string): Promise<T> {
  const text = readFileSync(`test/fixtures/snapshot-documents/${sample}.yaml`, 'utf8');
  const object = parse(text) as T;
  return client.create(resource, { ...object, metadata: { ...object.metadata, namespace } });
}

describe('the snapshot kinds on a real server', () => {
  it('accept the samples of the document, and keep every field of them', async () => {
    const hook = await take(executionHooks, 'hook.type-spelling');
    expect(hook.spec.preAction).toEqual({
      action: { exec: { command: ['run_quiesce.sh'] } },
      actionTimeoutSeconds: 10,
    });
    const template = await take(executionHookTemplates, 'template.yaml-spelling');
    expect(template.expirationTimeSeconds).toBe(30);
    const { spec } = await take(applicationSnapshots, 'snapshot');
    expect(spec.executionHookInfos?.[0]?.executionHookTemplateName).toBe('hook-template-demo');
  });

  it.each([...schemaRefusals, ...ruleRefusals])('refuse $title', async ({ object, says }) => {
    expect(await refused(object)).toContain(says);
  });

  it('keep a port as a number or as a name', async () => {
    const spec = {
      podSelector: {},
      preAction: { httpGet: { port: 8080 } },
      postAction: { tcpSocket: { port: 'web' } },
    };
    const made = await client.create(executionHooks, {
      metadata: { name: 'ports', namespace },
      spec,
    });
    expect(made.spec).toEqual(spec);
  });

  describe('and their webhook', () => {
    beforeAll(async () => {
      const labels = { [`judged-${namespace}`]: 'yes' };
      const body = { metadata: { labels } };
      await client.patch(namespaces, { name: namespace }, { type: 'merge', body });
      const configuration = webhook.configuration(namespace, labels);
      await client.create(validatingWebhookConfigurations, configuration);
      await eventually('the webhook is asked', async () => {
        const [first] = webhookRefusals;
        if (first === undefined || (await refused(first.object)) === '') throw new Error('taken');
      });
    });

    it.each(webhookRefusals)('refuse $title', async ({ object, says }) => {
      const before = webhook.asked();
      expect(await refused(object)).toContain(says);
      expect(webhook.asked()).toBe(before + 1);
    });

    it('refuse a changed spec of a hook, and admit its annotations and its deletion', async () => {
      const key = { namespace, name: 'hook-demo' };
      const spec = { spec: { expirationSeconds: 31 } };
      await expect(
        client.patch(executionHooks, key, { type: 'merge', body: spec }),
      ).rejects.toThrow('the spec of a hook never changes: delete it, and create another one');
      const released = { metadata: { annotations: { 'lifehook.dev/release': 'Human' } } };
      await client.patch(executionHooks, key, { type: 'merge', body: released });
      const asked = webhook.asked();
      await client.delete(executionHooks, key);
      expect(webhook.asked()).toBe(asked);
    });
  });
});
