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
  const told = new AbortController();
  const informer = new Informer({
    resource,
    watch: async function* watch(): AsyncGenerator<WatchEvent<T>> {
      for (const object of objects) yield { type: 'Upsert', object };
      yield { type: 'Synced', resourceVersion: '1' };
      told.abort();
    },
  });
  await informer.run(told.signal);
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
}

function serverOf({ deployment, lifecycles = [] }: Stored): {
  client: KubeClient;
  asked: string[];
} {
  const asked: string[] = [];
  const part: Pick<KubeClient, 'get' | 'list'> = {
    get: async () => {
      asked.push('get');
      if (deployment instanceof Error || deployment === undefined) throw deployment ?? notFound;
      return deployment as never;
    },
    list: async () => {
      asked.push('list');
      if (lifecycles instanceof Error) throw lifecycles;
      return { items: lifecycles, resourceVersion: '1' } as never;
    },
  };
  return { client: part as KubeClient, asked };
}

const notFound = new ApiError(404, { reason: 'NotFound' });
const broken = new ApiError(500, {});

const named = (lookups: GateLookups): Promise<boolean | null> => lookups.isNamed(key, signal);

describe('a lookup', () => {
  it.each([
    ['a lifecycle of that name', [lifecycleOf()], true],
    ['none', [], false],
    ['one of another Deployment', [lifecycleOf({ deploymentName: 'api' })], false],
    ['one that gates otherwise', [lifecycleOf({ gate: 'PausedAtRest' })], false],
    ['one that goes', [lifecycleOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })], false],
    ['no such kind', notFound, false],
    ['no answer', broken, null],
  ])('of who names a Deployment finds %s', async (_, lifecycles, expected) => {
    expect(await named(gateLookups(serverOf({ lifecycles })))).toBe(expected);
  });

  it('finds a name in the cache, and believes only the server that there is none', async () => {
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

  it('of a Deployment that is none of ours ends at the cache', async () => {
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

  it('of a gated Deployment is asked of the server: it may just have been released', async () => {
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
});
