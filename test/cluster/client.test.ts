/** The client against the real API server: every method, and its error for each refusal. */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isReason } from '../../src/kube/api-error.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import * as resources from '../../src/kube/resources.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';
import { BASE_IMAGE } from './parameters.ts';

const { configMaps, customResourceDefinitions, deployments, makeResource, namespaces, pods } =
  resources;

let cluster: ClusterConnection;
let namespace: string;
let removeNamespace: () => Promise<void>;

beforeAll(async () => {
  cluster = connectToCluster();
  const made = await makeNamespace(cluster.client, 'k1-client');
  namespace = made.namespace;
  removeNamespace = made.remove;
});

afterAll(async () => {
  await removeNamespace();
  cluster.connection.transport.close();
});

const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  metadata: { name, namespace },
  data,
});

const reasonOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'no error',
    (error: unknown) =>
      error instanceof Error && 'reason' in error ? String(error.reason) : String(error),
  );

describe('the client on the real server', () => {
  it('creates, reads, replaces, patches, applies and deletes', async () => {
    const { client } = cluster;
    const key = { namespace, name: 'life' };
    const created = await client.create(configMaps, configMap('life', { a: '1' }));
    expect(created).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } });
    const replaced = await client.replace(configMaps, { ...created, data: { a: '2' } });
    expect(await reasonOf(client.replace(configMaps, { ...created, data: {} }))).toBe('Conflict');
    expect(replaced.metadata?.resourceVersion).not.toBe(created.metadata?.resourceVersion);
    await client.patch(configMaps, key, { type: 'merge', body: { data: { b: '3' } } });
    await client.patch(configMaps, key, {
      type: 'json',
      body: [{ op: 'add', path: '/data/c', value: '4' }],
    });
    await client.patch(configMaps, key, { type: 'strategic', body: { data: { a: null } } });
    expect((await client.get(configMaps, key)).data).toEqual({ b: '3', c: '4' });
    const options = { fieldManager: 'k1' };
    expect(await reasonOf(client.apply(configMaps, configMap('life', { b: '5' }), options))).toBe(
      'Conflict',
    );
    const applied = await client.apply(configMaps, configMap('life', { b: '5' }), {
      ...options,
      force: true,
    });
    expect(applied.data).toEqual({ b: '5', c: '4' });
    expect(
      applied.metadata?.managedFields?.some(
        ({ manager, operation }) => manager === 'k1' && operation === 'Apply',
      ),
    ).toBe(true);
    expect(await client.delete(configMaps, key)).toBeNull();
    expect(await reasonOf(client.get(configMaps, key))).toBe('NotFound');
  });

  it('lists all objects in pages, with the kind of each object', async () => {
    const { client } = cluster;
    const labels = { page: 'yes' };
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    for (const name of names) {
      await client.create(configMaps, { metadata: { name, namespace, labels } });
    }
    const options = { namespace, labelSelector: 'page=yes' };
    const paged = await client.list(configMaps, { ...options, pageSize: 2 });
    expect(paged.items.map(({ metadata }) => metadata?.name)).toEqual(names);
    expect(paged.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(Number(paged.resourceVersion)).toBeGreaterThan(0);
    const cached = await client.list(configMaps, { ...options, resourceVersion: '0' });
    expect(cached.items.length).toBeLessThanOrEqual(names.length);
    const one = await client.list(configMaps, { namespace, fieldSelector: 'metadata.name=page-3' });
    expect(one.items).toHaveLength(1);
    const everywhere = await client.list(configMaps, { labelSelector: 'page=yes', pageSize: 3 });
    expect(everywhere.items.length).toBeGreaterThanOrEqual(names.length);
  });

  it('changes nothing on a dry run', async () => {
    const { client } = cluster;
    const dryRun = true;
    await client.create(configMaps, configMap('dry'), { dryRun });
    expect(await reasonOf(client.get(configMaps, { namespace, name: 'dry' }))).toBe('NotFound');
    const key = { namespace, name: 'page-0' };
    await client.delete(configMaps, key, { dryRun });
    await client.patch(configMaps, key, { type: 'merge', body: { data: { x: 'y' } }, dryRun });
    expect((await client.get(configMaps, key)).data).toBeUndefined();
  });

  it('writes status and scale only through their subresources', async () => {
    const { client } = cluster;
    const labels = { app: 'st' };
    const created = await client.create(deployments, {
      metadata: { name: 'st', namespace },
      spec: {
        replicas: 0,
        paused: true,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'c', image: BASE_IMAGE }] },
        },
      },
    });
    const patched = await client.patch(
      deployments,
      { namespace, name: 'st' },
      {
        type: 'merge',
        subresource: 'status',
        body: {
          spec: { replicas: 5 },
          status: { conditions: [{ type: 'K1', status: 'True', reason: 'Test', message: 'x' }] },
        },
      },
    );
    expect(patched.spec?.replicas).toBe(0);
    expect(patched.status?.conditions?.some(({ type }) => type === 'K1')).toBe(true);
    const scale = { type: 'merge', subresource: 'scale', body: { spec: { replicas: 1 } } } as const;
    expect(await client.patch(deployments, { namespace, name: 'st' }, scale)).toMatchObject({
      kind: 'Scale',
    });
    expect(created.metadata?.generation).toBe(1);
    const latest = await client.get(deployments, { namespace, name: 'st' });
    const own = { ...latest, status: { ...latest.status, replicas: 0, observedGeneration: 1 } };
    const replaced = await client.replaceStatus(deployments, own).catch((error: unknown) => error);
    // The deployment controller may have written the object first. The only error allowed then is a conflict.
    if (replaced instanceof Error) expect(isReason(replaced, 'Conflict')).toBe(true);
  });

  it('returns the terminating object after a delete that a finalizer blocks', async () => {
    const { client } = cluster;
    const finalizers = ['lifehook.dev/k1'];
    const key = { namespace, name: 'held' };
    const { metadata } = await client.create(configMaps, { metadata: { ...key, finalizers } });
    try {
      const wrong = { preconditions: { uid: 'another' } };
      expect(await reasonOf(client.delete(configMaps, key, wrong))).toBe('Conflict');
      const preconditions = { uid: metadata?.uid ?? '' };
      const left = await client.delete(configMaps, key, { preconditions });
      expect(left?.metadata?.deletionTimestamp).toBeDefined();
    } finally {
      await client.patch(configMaps, key, {
        type: 'merge',
        body: { metadata: { finalizers: null } },
      });
    }
    expect(await reasonOf(client.get(configMaps, key))).toBe('NotFound');
  });

  it('deletes an unscheduled pod at once, and a scheduled one after its grace period', async () => {
    const { client } = cluster;
    const spec = {
      terminationGracePeriodSeconds: 30,
      containers: [{ name: 'c', image: BASE_IMAGE, command: ['sleep', '100'] }],
    };
    const unplaced = { ...spec, nodeSelector: { 'no-such': 'node' } };
    await client.create(pods, { metadata: { namespace, name: 'unplaced' }, spec: unplaced });
    expect(await client.delete(pods, { namespace, name: 'unplaced' })).toBeNull();
    await client.create(pods, {
      metadata: { namespace, name: 'placed' },
      // A node without a kubelet, which would delete a pod that it has not started yet.
      spec: { ...spec, nodeName: 'no-such-node' },
    });
    const left = await client.delete(pods, { namespace, name: 'placed' });
    expect(left?.metadata?.deletionGracePeriodSeconds).toBe(30);
    expect(
      await client.delete(pods, { namespace, name: 'placed' }, { gracePeriodSeconds: 0 }),
    ).toBeNull();
  });

  it('reports the reason of each refusal', async () => {
    const { client } = cluster;
    const key = { namespace, name: 'page-1' };
    expect(await reasonOf(client.create(configMaps, configMap('page-1')))).toBe('AlreadyExists');
    expect(await reasonOf(client.create(configMaps, configMap('Not_A_Name')))).toBe('Invalid');
    expect(await reasonOf(client.list(makeResource({ apiVersion: 'v1', kind: 'Nothing' })))).toBe(
      'NotFound',
    );
    expect(await reasonOf(client.raw({ method: 'POST', path: '/version' }))).toBe(
      'MethodNotAllowed',
    );
    const patch = { type: 'json', body: { not: 'a patch' } } as const;
    expect(await reasonOf(client.patch(configMaps, key, patch))).toBe('BadRequest');
    expect(await reasonOf(client.list(configMaps, { labelSelector: '!!' }))).toBe('BadRequest');
    const other = { namespace, name: 'other' };
    const elsewhere = { metadata: { name: 'x', namespace: 'default' } };
    expect(
      await reasonOf(
        client.raw({
          method: 'PUT',
          path: `/api/v1/namespaces/${namespace}/configmaps/other`,
          body: elsewhere,
        }),
      ),
    ).toBe('BadRequest');
    expect(await reasonOf(client.delete(configMaps, other))).toBe('NotFound');
  });

  it('is forbidden without a client certificate, and fails on a server certificate that it does not trust', async () => {
    const stranger = connectToCluster({ credentials: async () => ({}) });
    expect(await reasonOf(stranger.client.list(pods))).toBe('Forbidden');
    stranger.connection.transport.close();
    const wary = connectToCluster({ ca: undefined });
    await expect(wary.client.list(pods)).rejects.toMatchObject({
      name: 'UnreachableError',
      sent: false,
    });
    wary.connection.transport.close();
    const named = connectToCluster({ tlsServerName: 'kubernetes.default.svc' });
    expect((await named.client.get(namespaces, { name: 'default' })).kind).toBe('Namespace');
    named.connection.transport.close();
    const misnamed = connectToCluster({ tlsServerName: 'elsewhere.example' });
    await expect(misnamed.client.list(pods)).rejects.toMatchObject({ sent: false });
    misnamed.connection.transport.close();
  });

  it('has the plural name, kind and scope that the server has for each resource', async () => {
    const all = Object.values(resources).filter((one) => typeof one === 'object');
    for (const { group, version, kind, plural, namespaced } of all) {
      if (group === 'snapshot.storage.k8s.io') continue;
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const { resources: served } = (await cluster.client.raw({
        method: 'GET',
        path,
      })) as JsonObject;
      expect(served).toContainEqual(expect.objectContaining({ name: plural, kind, namespaced }));
    }
  });

  it('creates, applies and deletes custom resources', async () => {
    const { client } = cluster;
    const group = `${namespace}.lifehook.dev`;
    const names = { kind: 'Thing', plural: 'things' };
    const schema = {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as object,
    };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const name = `things.${group}`;
    await client.create(customResourceDefinitions, {
      metadata: { name },
      spec: { group, names, scope: 'Namespaced', versions },
    });
    try {
      const things = makeResource({ apiVersion: `${group}/v1`, kind: 'Thing' });
      const thing = { metadata: { name: 'a', namespace }, spec: { x: 1 } };
      await expect.poll(() => reasonOf(client.list(things)), { timeout: 60_000 }).toBe('no error');
      await expect
        .poll(() => reasonOf(client.create(things, thing)), { timeout: 60_000 })
        .toMatch(/no error|AlreadyExists/);
      const applied = await client.apply(
        things,
        { ...thing, spec: { y: 2 } },
        { fieldManager: 'k1' },
      );
      expect(applied.spec).toEqual({ x: 1, y: 2 });
      expect(await client.delete(things, { namespace, name: 'a' })).toBeNull();
    } finally {
      await client.delete(customResourceDefinitions, { name });
    }
  });
});
