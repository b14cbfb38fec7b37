/**
 * The snapshot kinds on the local cluster: objects that the definitions, or our webhook, refuse.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeObject } from '../../src/kube/object.ts';
import { type AdmissionWebhook, openAdmissionWebhook } from '../fixtures/admission-webhook.ts';
import {
  refusalOf,
  ruleRefusals,
  schemaRefusals,
  webhookRefusals,
} from '../fixtures/snapshot-refusals.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

const DOCUMENTS = 'test/fixtures/snapshot-documents';
const samples = [
  'template.yaml-spelling',
  'template.type-spelling',
  'hook.yaml-spelling',
  'hook.type-spelling',
  'hook-two-pods.yaml-spelling',
  'hook-two-pods.type-spelling',
  'snapshot',
];

let stand: ClusterStand;
const { ok, fails, feed } = stepsOn(() => stand);

async function open(): Promise<void> {
  stand = await openCluster();
  await ok('apply', '-f', 'deploy/crds/lifehook-crds.yaml');
  await eventually('the kinds are served', async () => {
    const { code } = await stand.kubectl('get', 'eh,eht,appsnap');
    return code === 0;
  });
}

async function close(): Promise<void> {
  await stand[Symbol.asyncDispose]();
}

const refused = (object: KubeObject): Promise<string> =>
  refusalOf(stand.client, { object, namespace: 'default' });

describe('the snapshot kinds', () => {
  let webhook: AdmissionWebhook;

  beforeAll(async () => {
    await open();
    webhook = await openAdmissionWebhook(() => undefined);
    await ok('label', 'namespace', 'default', 'judged=yes');
  });

  afterAll(async () => {
    await close();
    await webhook[Symbol.asyncDispose]();
  });

  it.each(samples)("take the document's %s", async (name) => {
    // All hooks of the document have the same name, and the spec of a hook is immutable.
    if (name.startsWith('hook')) await ok('delete', 'eh', 'hook-demo', '--ignore-not-found');
    await ok('apply', '-f', `${DOCUMENTS}/${name}.yaml`);
  });

  it.each([...schemaRefusals, ...ruleRefusals])('refuse $title', async ({ object, says }) => {
    expect(await refused(object)).toContain(says);
  });

  it('have short names, a category, columns and an explanation', async () => {
    expect(await ok('get', 'eht')).toMatch(/^NAME +POLICY +AGE\nhook-template-demo +ExecuteOnce +/);
    expect(await ok('get', 'eh')).toMatch(/^NAME +PRE +POST +RELEASE +UNPROVEN +AGE\n/);
    expect(await ok('get', 'appsnap')).toMatch(/^NAME +PHASE +VERDICT +REASON +FREEZE-MS +AGE\n/);
    expect(await ok('get', 'lifehook', '-o', 'name')).toContain(
      'executionhook.lifehook.dev/hook-demo',
    );
    expect(await ok('explain', 'eht.preAction.actionTimeoutSeconds')).toContain(
      'Maximum seconds for all attempts together',
    );
  });

  it('ignore a status in the object, and accept it through the subresource', async () => {
    const patch = JSON.stringify({ status: { preActionSucceed: true } });
    await ok('patch', 'eh', 'hook-demo', '--type=merge', '-p', patch);
    expect(await ok('get', 'eh', 'hook-demo', '-o', 'jsonpath={.status}')).toBe('');
    await ok('patch', 'eh', 'hook-demo', '--subresource=status', '--type=merge', '-p', patch);
    expect(await ok('get', 'eh', 'hook-demo')).toMatch(/hook-demo +true /);
  });

  it('refuse a changed spec of a snapshot and of a hook', async () => {
    const patch = (of: string, spec: object, ...more: string[]): Promise<string> =>
      fails('patch', ...of.split(' '), '--type=merge', '-p', JSON.stringify({ spec }), ...more);
    expect(await patch('appsnap snapshot-demo', { cutDeadlineSeconds: 5 })).toContain(
      'the spec of a snapshot never changes: create another one',
    );
    expect(await patch('eh hook-demo', { expirationSeconds: 32 })).toContain(
      'the spec of a hook never changes: delete it, and create another one',
    );
    await ok('annotate', 'eh', 'hook-demo', 'lifehook.dev/release=Human@2020-01-01T00:00:00Z');
  });

  describe('and their webhook', () => {
    beforeAll(async () => {
      const configuration = webhook.configuration('lifehook', { judged: 'yes' });
      const { code, stderr } = await feed(JSON.stringify(configuration), 'apply', '-f', '-');
      expect(code, stderr).toBe(0);
      await eventually('the webhook is asked', async () => {
        const [first] = webhookRefusals;
        return first !== undefined && (await refused(first.object)) !== '';
      });
    });

    it.each(webhookRefusals)('refuse $title', async ({ object, says }) => {
      expect(await refused(object)).toContain(says);
    });

    it('warn that expirationTimeSeconds is read as expirationSeconds', async () => {
      const file = `${DOCUMENTS}/template.yaml-spelling.yaml`;
      const { code, stderr } = await stand.kubectl('create', '--dry-run=server', '-f', file);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('"hook-template-demo" already exists'),
      ]);
      await ok('delete', 'eht', 'hook-template-demo');
      const made = await stand.kubectl('create', '-f', file);
      expect([made.code, made.stderr]).toEqual([
        0,
        'Warning: expirationTimeSeconds: read as expirationSeconds\n',
      ]);
    });

    it('can be changed and deleted while the webhook is down', async () => {
      await webhook[Symbol.asyncDispose]();
      await ok('annotate', 'eh', 'hook-demo', 'lifehook.dev/release-', '--overwrite');
      await ok('delete', 'eh', 'hook-demo');
      webhook = await openAdmissionWebhook(() => undefined);
    });
  });
});
