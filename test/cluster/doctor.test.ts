/**
 * `lifehook doctor` on an API server with RBAC: a user and a controller with few rights, and the roles that grant
 * them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { lifehookDefinitions } from '../../src/cli/install/all-definitions.ts';
import { installObjects } from '../../src/cli/install/install-objects.ts';
import type { InstallOptions } from '../../src/cli/install/install-options.ts';
import type { JsonObject, KubeObject } from '../../src/kube/object.ts';
import {
  customResourceDefinitions,
  makeResource,
  serviceAccounts,
} from '../../src/kube/resources.ts';
import { type Examined, examine } from '../e2e/doctor-stand.ts';
import {
  clusterAccess,
  type ClusterConnection,
  connectToCluster,
  kubeconfigPath,
  makeNamespace,
} from './real-cluster.ts';

let cluster: ClusterConnection;
let namespace: string;
let removeNamespace: () => Promise<void>;
let folder: string;
const applied: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  cluster = connectToCluster();
  for (const definition of lifehookDefinitions()) {
    const how = { fieldManager: 'lifehook-test', force: true };
    await cluster.client.apply(customResourceDefinitions, definition as KubeObject as never, how);
  }
  const made = await makeNamespace(cluster.client, 'doctor');
  namespace = made.namespace;
  removeNamespace = made.remove;
  folder = mkdtempSync(join(tmpdir(), 'lifehook-doctor-'));
});

afterAll(async () => {
  for (const undo of applied.toReversed()) await undo();
  await removeNamespace();
  cluster.connection.transport.close();
  rmSync(folder, { recursive: true });
});

async function create(object: KubeObject): Promise<void> {
  const { apiVersion = '', kind = '', metadata = {} } = object;
  const namespaced = metadata.namespace !== undefined;
  const resource = makeResource<KubeObject>({ apiVersion, kind, namespaced });
  await cluster.client.create(resource, object);
  const { name = '' } = metadata;
  const key = namespaced ? { namespace, name } : { name };
  applied.push(() => cluster.client.delete(resource, key));
}

/** Kubeconfig of a service account without any role. */
async function kubeconfigOf(account: string): Promise<string> {
  await cluster.client.create(serviceAccounts, { metadata: { namespace, name: account } });
  const answer = (await cluster.client.raw({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  })) as JsonObject;
  const { server, ca = '' } = clusterAccess();
  const authority = Buffer.from(ca).toString('base64');
  const path = join(folder, account);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'few',
    contexts: [{ name: 'few', context: { cluster: 'real', user: account, namespace } }],
    clusters: [{ name: 'real', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: account, user: { token: (answer['status'] as JsonObject)['token'] } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

const foundOf = (report: Examined, check: string): string =>
  report
    .of(check)
    .map(({ result, found }) => `${result}: ${found}`)
    .join('\n');

it('warns a user without rights of each, and of nothing else', async () => {
  const report = await examine('--kubeconfig', await kubeconfigOf('nobody'));
  expect(report.findings.filter(({ result }) => result === 'error')).toEqual([]);
  expect(report.code).toBe(0);
  expect(foundOf(report, 'your rights')).toMatch(
    new RegExp(`^warning: in namespace ${namespace} you may not get applicationsnapshots`, 'u'),
  );
  expect(foundOf(report, 'frozen')).toBe(
    `warning: what is frozen is not known: you may not list executionhooks.lifehook.dev in namespace ${namespace}`,
  );
  expect(foundOf(report, 'webhook')).toContain('you may not create deployments.apps');
});

const OPTIONS: Omit<InstallOptions, 'namespace'> = {
  namespaced: true,
  image: 'none',
  replicas: 0,
  snapshotKinds: false,
  timeline: false,
};

it('names what the service account of the controllers may not do, until its roles are there', async () => {
  const objects = installObjects({ ...OPTIONS, namespace });
  const of = (kinds: RegExp): KubeObject[] => objects.filter(({ kind = '' }) => kinds.test(kind));
  for (const object of of(/^(ServiceAccount|Deployment)$/u)) await create(object);
  const own = async (): Promise<string> => {
    const report = await examine('--kubeconfig', kubeconfigPath(), '-n', namespace);
    const lines = foundOf(report, 'controller rights').split('\n');
    return lines.filter((line) => line.includes(`account ${namespace}/`)).join('\n');
  };
  const without = await own();
  expect(without).toMatch(/^error: service account \S+ may not /u);
  expect(without).toContain('create pods/exec');
  expect(without).toContain('list persistentvolumes');
  for (const object of of(/Role/u)) await create(object);
  await expect
    .poll(own, { timeout: 60_000 })
    .toBe(`ok: service account ${namespace}/lifehook-controller has the permissions that it needs`);
});
