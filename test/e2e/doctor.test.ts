/**
 * `lifehook doctor` as a user runs it, on machines and clusters with one problem each.
 * @module-tag kubectl
 */
import process from 'node:process';

import { expect, it, onTestFinished } from 'vitest';

import { startWebhook } from '../../src/cli/controller/webhook.ts';
import {
  customResourceDefinitions,
  mutatingWebhookConfigurations,
} from '../../src/kube/resources.ts';
import { currentCertificates } from '../../src/platform/node-certificates.ts';
import { openCluster, openWholeCluster, run } from './cluster-stand.ts';
import { installKinds } from './controller-program.ts';
import { examine, examineCluster, kubeconfigFor, PROGRAM } from './doctor-stand.ts';
import { openRestrictedServer } from './restricted-server.ts';

it('finds no error on a local cluster, and nothing on its own', async () => {
  await using cluster = await openWholeCluster();
  const report = await examineCluster(cluster);
  expect(report.findings.filter(({ result }) => result === 'error')).toEqual([]);
  expect(report).toMatchObject({ code: 0, healthy: true });
  for (const check of ['server', 'kinds', 'snapshot kinds', 'controller', 'your rights', 'frozen'])
    expect(report.of(check), check).toMatchObject([{ result: 'ok' }]);
  const [gate] = report.of('webhook');
  expect(gate?.found).toBe(
    'the gate is armed: a dry run of a new Deployment with the label of the gate returned it paused',
  );
  expect((await cluster.kubectl('get', 'deployments', '-A', '-o', 'name')).stdout).toBe('');
});

it('names the kinds that are not installed, all of them or one', async () => {
  await using cluster = await openCluster();
  const none = await examineCluster(cluster);
  expect(none).toMatchObject({ code: 1, healthy: false });
  const next = 'lifehook install | kubectl apply --server-side -f -';
  expect(none.of('kinds')).toEqual([
    { check: 'kinds', result: 'error', found: 'the kinds of Lifehook are not installed', next },
  ]);
  await installKinds(cluster);
  await cluster.client.delete(customResourceDefinitions, { name: 'hookruns.lifehook.dev' });
  const one = await examineCluster(cluster);
  expect(one.of('kinds')).toMatchObject([
    { result: 'error', found: 'not served: HookRun (lifehook.dev/v1alpha1)' },
  ]);
});

it('proves that the webhook is not reached when its authority is not the stored one', async () => {
  await using cluster = await openCluster();
  await installKinds(cluster);
  const { client } = cluster;
  const address = { host: '127.0.0.1', port: 0 };
  // A long retry period, because the webhook would otherwise repair the configuration that the test breaks.
  const webhook = await startWebhook({
    client,
    namespace: 'default',
    address,
    periodMs: 3_600_000,
  });
  onTestFinished(() => webhook.close());
  const armed = await examineCluster(cluster);
  expect(armed.of('webhook')).toMatchObject([{ result: 'ok' }]);
  const store = { read: () => Promise.resolve(null), write: () => Promise.resolve() };
  const { authority } = await currentCertificates({ store, nowMs: Date.now() });
  const caBundle = Buffer.from(authority).toString('base64');
  const key = { name: 'lifehook-rollout-gate' };
  const stored = await client.get(mutatingWebhookConfigurations, key);
  const webhooks = (stored.webhooks ?? []).map((one) => ({
    ...one,
    clientConfig: { ...one.clientConfig, caBundle },
  }));
  await client.replace(mutatingWebhookConfigurations, { ...stored, webhooks });
  const broken = await examineCluster(cluster);
  expect(broken.code).toBe(1);
  const [found] = broken.of('webhook');
  expect(found?.result).toBe('error');
  expect(found?.found).toMatch(/^the gate is not armed: a dry run was refused: .*webhook/u);
});

const FROZEN = `
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  terminationGracePeriodSeconds: 0
  containers: [{ name: db, image: none, command: [sleep, '1000'] }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: night }
spec:
  preAction: { exec: { command: ['true'] } }
  postAction: { exec: { command: ['true'] } }
  expirationSeconds: 3600
  podContainerNamesList: [{ podName: db, containerNames: [db] }]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  annotations:
    lifehook.dev/execution-hook-infos: '[{"executionHookTemplateName": "nowhere"}]'
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
`;

it('lists what is frozen with the command that thaws it, and templates that do not exist', async () => {
  await using cluster = await openWholeCluster();
  expect((await cluster.apply(FROZEN)).stderr).toBe('');
  const isFrozen = '--for=jsonpath={.status.preActionSucceed}=true';
  expect(await cluster.kubectl('wait', isFrozen, 'eh/night', '--timeout=60s')).toMatchObject({
    code: 0,
  });
  const report = await examineCluster(cluster);
  const [found] = report.of('frozen');
  expect(found?.result).toBe('warning');
  expect(found?.found).toMatch(
    /^pod default\/db, container db, by ExecutionHook night: frozen for \d+ s$/u,
  );
  expect(report.of('templates')).toMatchObject([
    {
      result: 'error',
      found:
        'the annotation of PersistentVolumeClaim data in namespace default refers to ExecutionHookTemplate nowhere, which does not exist',
    },
  ]);
  const [, ...command] = (found?.next ?? '').split(' ');
  const thawed = await run(process.execPath, [
    PROGRAM,
    ...command,
    '--kubeconfig',
    cluster.kubeconfig,
  ]);
  expect(thawed).toMatchObject({ code: 0, stdout: 'Thawed 1 of 1.\n' });
  expect((await examineCluster(cluster)).of('frozen')).toMatchObject([{ result: 'ok' }]);
});

it('warns with the missing right of each check that a user may not make', async () => {
  await using cluster = await openWholeCluster();
  const mayAsk = (path: string): boolean =>
    path === '/version' || path === '/api' || /^\/apis(\/[^/]+\/[^/]+)?$/u.test(path);
  await using server = await openRestrictedServer(cluster.connection, mayAsk);
  const report = await examine('--kubeconfig', await kubeconfigFor(server.url));
  expect(report.findings.filter(({ result }) => result === 'error')).toEqual([]);
  expect(report.code).toBe(0);
  const rights = {
    kinds: 'get customresourcedefinitions.apiextensions.k8s.io',
    'snapshot classes': 'list volumesnapshotclasses.snapshot.storage.k8s.io',
    controller: 'list leases.coordination.k8s.io',
    webhook: 'create deployments.apps in namespace shop',
    'your rights': 'create applicationsnapshots.lifehook.dev',
    templates: 'list applicationsnapshots.lifehook.dev in namespace shop',
    frozen: 'list executionhooks.lifehook.dev in namespace shop',
  };
  for (const [check, right] of Object.entries(rights)) {
    const found = report.of(check);
    expect(
      found.map(({ result }) => result),
      check,
    ).toContain('warning');
    expect(found.map((one) => one.found).join('\n'), check).toContain(`you may not `);
    expect(found.map((one) => one.found).join('\n'), check).toContain(right);
    expect(found.map((one) => one.next).join('\n'), check).toMatch(/apiGroups: \[.*verbs: \[/u);
  }
});

it('checks one namespace where a user may list no other', async () => {
  await using cluster = await openWholeCluster();
  const mayAsk = (path: string): boolean =>
    !/^\/apis\/lifehook\.dev\/v1alpha1\/(?!namespaces)[a-z]/u.test(path);
  await using server = await openRestrictedServer(cluster.connection, mayAsk);
  const report = await examine('--kubeconfig', await kubeconfigFor(server.url));
  expect(report.of('frozen')).toMatchObject([
    {
      result: 'warning',
      found:
        'only namespace shop was checked: you may not list executionhooks.lifehook.dev in all namespaces',
    },
  ]);
});
