import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { Informer } from '../../../controller/informer.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient, WatchEvent } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import { deployments } from '../../../kube/resources.ts';
import { type DeploymentLifecycle, deploymentLifecycles } from '../kinds.ts';
import { type GateLookups, gateLookups } from './lookups.ts';

const key = { namespace: 'x', name: 'web' };
const { signal } = new AbortController();

async function cacheOf<T extends KubeObject>(
  resource: Resource<T>,
  ...objects: T[]
): Promise<Informer<T>> {
  const reported = new AbortController();
  const informer = new Informer({
    resource,
    watch: async function* watch(): AsyncGenerator<WatchEvent<T>> {
      for (const object of objects) yield { type: 'Upsert', object };
      yield { type: 'Synced', resourceVersion: '1' };
      reported.abort();
    },
  });
  await informer.run(reported.signal);
  return informer;
}

function lifecycleOf(spec: object = {}, metadata: object = {}): DeploymentLifecycle {
  return {
    metadata: { namespace: 'x', name: 'a', ...metadata },
    spec: { deploymentName: 'web', ...spec },
  };
}

interface Stored {
  readonly deployment?: Deployment | Error;
  readonly lifecycles?: readonly DeploymentLifecycle[] | Error;
  /** The Deployments that have the label of the gate. */
  readonly labelled?: readonly Deployment[] | Error;
}

function serverOf({ deployment, lifecycles = [], labelled = [] }: Stored): {
  client: KubeClient;
  asked: string[];
  given: object[];
} {
  const asked: string[] = [];
  const given: object[] = [];
  const part: Pick<KubeClient, 'get' | 'list'> = {
    get: async (_, of, options) => {
      asked.push('get');
      given.push({ ...of, ...options });
      if (deployment instanceof Error || deployment === undefined) throw deployment ?? notFound;
      return deployment as never;
    },
    list: async ({ plural }, options) => {
      asked.push('list');
      given.push({ plural, ...options });
      if (plural === deployments.plural) {
        if (labelled instanceof Error) throw labelled;
        return { items: labelled, resourceVersion: '1' } as never;
      }
      if (lifecycles instanceof Error) throw lifecycles;
      return { items: lifecycles, resourceVersion: '1' } as never;
    },
  };
  return { client: part as KubeClient, asked, given };
}

const notFound = new ApiError(404, { reason: 'NotFound' });
const broken = new ApiError(500, {});

const named = (lookups: GateLookups): Promise<boolean | null> => lookups.isNamed(key, signal);

describe('gateLookups', () => {
  it.each([
    ['true for a lifecycle that names it', [lifecycleOf()], true],
    ['false for no lifecycle', [], false],
    [
      'false for a lifecycle of another Deployment',
      [lifecycleOf({ deploymentName: 'api' })],
      false,
    ],
    [
      'false for a lifecycle with the gate PausedAtRest',
      [lifecycleOf({ gate: 'PausedAtRest' })],
      false,
    ],
    [
      'false for a terminating lifecycle',
      [lifecycleOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
      false,
    ],
    ['false if the kind is not installed', notFound, false],
    ['null if the server fails', broken, null],
  ])('answers whether a lifecycle names a Deployment: %s', async (_, lifecycles, expected) => {
    expect(await named(gateLookups(serverOf({ lifecycles })))).toBe(expected);
  });

  it('takes a match from the cache, and confirms a missing one with the server', async () => {
    const empty = await cacheOf(deployments);
    const cached = await cacheOf(deploymentLifecycles, lifecycleOf());
    const server = serverOf({ lifecycles: [lifecycleOf()] });
    const caches = { deployments: empty, lifecycles: cached };
    expect(await named(gateLookups({ client: server.client, caches }))).toBe(true);
    expect(server.asked).toEqual([]);
    const behind = { ...caches, lifecycles: await cacheOf(deploymentLifecycles) };
    expect(await named(gateLookups({ client: server.client, caches: behind }))).toBe(true);
    expect(server.asked).toEqual(['list']);
  });

  it('asks no server about a Deployment that is not gated in the cache', async () => {
    const server = serverOf({ deployment: deploymentOf('label r5 l4 p n0 w3') });
    const lifecycles = await cacheOf(deploymentLifecycles);
    const free = await cacheOf(deployments, deploymentOf('n3'));
    const lookups = gateLookups({
      client: server.client,
      caches: { deployments: free, lifecycles },
    });
    expect(await lookups.gatedDeployment(key, signal)).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it('reads a gated Deployment from the server, since it may just have been released', async () => {
    const now = deploymentOf('label r5 l5 n3');
    const server = serverOf({ deployment: now });
    const lifecycles = await cacheOf(deploymentLifecycles);
    const gated = await cacheOf(deployments, deploymentOf('label r5 l4 p n0 w3'));
    const lookups = gateLookups({
      client: server.client,
      caches: { deployments: gated, lifecycles },
    });
    expect(await lookups.gatedDeployment(key, signal)).toBe(now);
    expect(await gateLookups(serverOf({})).gatedDeployment(key, signal)).toBeNull();
    expect(await gateLookups(serverOf({ deployment: broken })).deployment(key, signal)).toBeNull();
  });

  it('looks up the owner of a ReplicaSet in the cache, and reads it and its lifecycles from the server', async () => {
    const now = deploymentOf('label r5 l5 n3');
    const terminating = lifecycleOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    const other = lifecycleOf({ deploymentName: 'api' });
    const server = serverOf({ deployment: now, lifecycles: [terminating, other] });
    const lifecycles = await cacheOf(deploymentLifecycles);
    const cached = await cacheOf(deployments, deploymentOf('label r5 l4 p'));
    const lookups = gateLookups({
      client: server.client,
      caches: { deployments: cached, lifecycles },
    });
    const set = { metadata: { namespace: 'x', name: 'web-made', labels: { app: 'web' } } };
    expect(await lookups.gatedOwners(set, signal)).toEqual([
      { deployment: now, lifecycles: [terminating] },
    ]);
    const free = { metadata: { ...set.metadata, labels: { app: 'api' } } };
    const before = server.asked.length;
    expect(await lookups.gatedOwners(free, signal)).toEqual([]);
    expect(server.asked).toHaveLength(before);
  });

  it('names no owner that cannot be read', async () => {
    const lifecycles = await cacheOf(deploymentLifecycles);
    const cached = await cacheOf(deployments, deploymentOf('label r5 l4 p'));
    const { client } = serverOf({ deployment: broken, lifecycles: broken });
    const lookups = gateLookups({ client, caches: { deployments: cached, lifecycles } });
    const set = { metadata: { namespace: 'x', labels: { app: 'web' } } };
    expect(await lookups.gatedOwners(set, signal)).toEqual([]);
    expect(await lookups.replicaSet(key, signal)).toBeNull();
  });

  it('believes the cache about lifecycles of the same namespace alone', async () => {
    const cached = await cacheOf(deploymentLifecycles, lifecycleOf({}, { namespace: 'y' }));
    const caches = { deployments: await cacheOf(deployments), lifecycles: cached };
    expect(await named(gateLookups({ client: serverOf({}).client, caches }))).toBe(false);
  });

  it('reads a Deployment that the cache does not know from the server', async () => {
    const now = deploymentOf('label r5 l4');
    const caches = {
      deployments: await cacheOf(deployments),
      lifecycles: await cacheOf(deploymentLifecycles),
    };
    const { client } = serverOf({ deployment: now });
    expect(await gateLookups({ client, caches }).gatedDeployment(key, signal)).toBe(now);
  });

  it('names the oldest lifecycle of a Deployment as its keeper', async () => {
    const created = (name: string, creationTimestamp: string): DeploymentLifecycle =>
      lifecycleOf({}, { name, creationTimestamp });
    const other = lifecycleOf(
      { deploymentName: 'api' },
      { name: 'api', creationTimestamp: '2020' },
    );
    const lifecycles = [created('b', '2026'), created('a', '2025'), other];
    const incumbent = async (stored: Stored): Promise<string | undefined> =>
      (await gateLookups(serverOf(stored)).incumbent(key, signal))?.metadata?.name;
    expect(await incumbent({ lifecycles })).toBe('a');
    expect(await incumbent({ lifecycles: [other] })).toBeUndefined();
    expect(await gateLookups(serverOf({ lifecycles: broken })).incumbent(key, signal)).toBeNull();
  });

  it('asks the server for labelled Deployments without a cache', async () => {
    const deployment = deploymentOf('label r5 l4 p');
    const server = serverOf({ deployment, labelled: [deployment], lifecycles: [lifecycleOf()] });
    const set = { metadata: { namespace: 'x', labels: { app: 'web' } } };
    const owner = { deployment, lifecycles: [lifecycleOf()] };
    expect(await gateLookups(server).gatedOwners(set, signal)).toEqual([owner]);
    const limits = { signal, timeoutMs: 1_000 };
    expect(server.given).toEqual([
      { plural: 'deployments', namespace: 'x', labelSelector: 'lifehook.dev/gated', ...limits },
      { plural: 'deploymentlifecycles', namespace: 'x', ...limits },
      { ...key, ...limits },
    ]);
  });

  it('names no owner where the labelled Deployments cannot be listed', async () => {
    const server = serverOf({ labelled: broken });
    const set = { metadata: { namespace: 'x', labels: { app: 'web' } } };
    expect(await gateLookups(server).gatedOwners(set, signal)).toEqual([]);
  });

  it('takes no Deployment without the label for the owner of a ReplicaSet', async () => {
    const caches = {
      deployments: await cacheOf(deployments, deploymentOf('r5 l4 p')),
      lifecycles: await cacheOf(deploymentLifecycles),
    };
    const server = serverOf({ deployment: deploymentOf('label r5 l4') });
    const set = { metadata: { namespace: 'x', labels: { app: 'web' } } };
    expect(await gateLookups({ ...server, caches }).gatedOwners(set, signal)).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it('gives the server a second for a ReplicaSet', async () => {
    const server = serverOf({ deployment: deploymentOf('n1') });
    expect(await gateLookups(server).replicaSet(key, signal)).not.toBeNull();
    expect(server.given).toEqual([{ ...key, signal, timeoutMs: 1_000 }]);
  });
});
