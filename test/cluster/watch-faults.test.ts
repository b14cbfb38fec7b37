/** List and watch against the real server, with each kind of fault between client and server. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Resource } from '../../src/kube/object.ts';
import { configMaps, events } from '../../src/kube/resources.ts';
import { type Fault, OrderedFaults } from './fault-dice.ts';
import {
  clusterAccess,
  type ClusterConnection,
  connectToCluster,
  makeNamespace,
} from './real-cluster.ts';
import { listedView, startWatchWorld, viewOf, type WatchWorld } from './watch-world.ts';

/** Address of the etcd that the recipe ../shared/modern starts. */
const ETCD = 'http://127.0.0.1:13379';

/** For `expect.poll`: far more than a busy machine needs. */
const POLL = { timeout: 60_000 };

let cluster: ClusterConnection;
let namespace: string;
let removeNamespace: () => Promise<void>;

beforeAll(async () => {
  cluster = connectToCluster();
  ({ namespace, remove: removeNamespace } = await makeNamespace(cluster.client, 'k1-watch'));
  // The control plane creates one ConfigMap in each namespace. After that, only the tests write.
  while ((await listedView(cluster.client, { namespace })).length === 0) await pause(100);
});

afterAll(async () => {
  await removeNamespace();
  cluster.connection.transport.close();
});

async function inWorld(
  work: (world: WatchWorld, faults: OrderedFaults) => Promise<void>,
  { resource = configMaps, ...watch }: { resource?: Resource; stallMarginMs?: number } = {},
): Promise<void> {
  const faults = new OrderedFaults();
  const server = clusterAccess();
  const options = { server, faults, seed: 1, watch: { namespace, ...watch }, resource };
  const world = await startWatchWorld(options);
  try {
    await expect.poll(() => world.view.synced, POLL).toBe(true);
    await work(world, faults);
    expect(world.view.violations).toEqual([]);
  } finally {
    await world.end();
  }
}

async function put(name: string): Promise<void> {
  const object = { metadata: { name, namespace }, data: { at: String(performance.now()) } };
  await cluster.client.apply(configMaps, object, { fieldManager: 'test', force: true });
}

/** Writes an Event object. The API server has no watch cache for Events, so a compacted revision expires at once. */
async function putEvent(name: string): Promise<void> {
  const metadata = { name, namespace };
  const object = { metadata, involvedObject: { namespace }, message: String(Math.random()) };
  await cluster.client.apply(events, object, { fieldManager: 'test', force: true });
}

async function expectSameView(world: WatchWorld): Promise<void> {
  await expect
    .poll(async () => viewOf(world.view), { ...POLL, interval: 50 })
    .toEqual(await listedView(cluster.client, { namespace }));
}

describe('list and watch of the real server', () => {
  it('follow all changes over the ends of many watches without listing again', async () => {
    await inWorld(
      async (world) => {
        for (const name of ['a', 'b', 'a']) {
          await put(name);
          await pause(700);
        }
        await cluster.client.delete(configMaps, { namespace, name: 'b' });
        await expectSameView(world);
        expect(world.view.relists).toBe(0);
        expect(world.view.interruptions).toEqual([]);
        // The stall margin is large: on a busy machine, a watch may end late without being stalled.
      },
      { stallMarginMs: 60_000 },
    );
  });

  const resumed: Fault[] = ['reset', 'unavailable', 'tooMany', 'broken', 'late'];
  const inTheStream: Fault[] = [
    'delay',
    'duplicate',
    'replay',
    'resetMidLine',
    'truncate',
    'cut',
    'stall',
    'garbage',
  ];
  it.each([...resumed, ...inTheStream])('resume without listing again after: %s', async (fault) => {
    await inWorld(async (world, faults) => {
      await put('before');
      await expectSameView(world);
      faults.order(fault);
      await put('during');
      await put('before');
      await cluster.client.delete(configMaps, { namespace, name: 'during' });
      await expect.poll(() => world.proxy.happened.get(fault), POLL).toBe(1);
      await expectSameView(world);
      expect(world.view.relists).toBe(0);
    });
  });

  it.each(['expired', 'expiredEvent'] as const)('list again after: %s', async (fault) => {
    await inWorld(async (world, faults) => {
      faults.order(fault);
      await put('gone');
      await put('other');
      await expect.poll(() => world.proxy.happened.get(fault), POLL).toBe(1);
      await cluster.client.delete(configMaps, { namespace, name: 'gone' });
      await expect.poll(() => world.view.relists, POLL).toBe(1);
      await expectSameView(world);
    });
  });

  it(
    'list again when the server has compacted the resource version',
    { tags: 'control-plane' },
    async () => {
      await inWorld(
        async (world, faults) => {
          await putEvent('gone');
          await compact(await revision());
          faults.order('forgotten');
          await putEvent('other');
          await expect.poll(() => world.view.relists, POLL).toBe(1);
          await cluster.client.delete(events, { namespace, name: 'gone' });
          await expect
            .poll(() => viewOf(world.view), { ...POLL, interval: 50 })
            .toEqual(await listedView(cluster.client, { namespace }, events));
        },
        { resource: events },
      );
    },
  );

  it('resume without listing again after a restart of the server', async () => {
    await inWorld(async (world) => {
      await put('x');
      const back = world.proxy.restart(500);
      await put('while-away');
      await cluster.client.delete(configMaps, { namespace, name: 'x' });
      await back;
      await expectSameView(world);
      expect(world.view.relists).toBe(0);
      expect(world.view.interruptions.length).toBeGreaterThan(0);
    });
  });

  it('restart a list that was compacted between two pages', { tags: 'control-plane' }, async () => {
    for (const index of [0, 1, 2, 3, 4, 5]) await putEvent(`page-${index}`);
    const { connection, client } = cluster;
    let pages = 0;
    const transport = {
      ...connection.transport,
      request: async (request: Parameters<typeof connection.transport.request>[0]) => {
        pages += 1;
        if (pages === 2) await compact(await putEvent('page-0').then(() => revision()));
        return connection.transport.request(request);
      },
    };
    const { makeKubeClient } = await import('../../src/kube/make-client.ts');
    const listing = makeKubeClient({ ...connection, transport });
    const { items } = await listing.list(events, { namespace, pageSize: 2 });
    expect(items.length).toBe((await client.list(events, { namespace })).items.length);
    // The compaction causes one more page and one refusal.
    expect(pages).toBe(Math.ceil(items.length / 2) + 2);
  });
});

async function revision(): Promise<string> {
  const { resourceVersion } = await cluster.client.list(configMaps, { namespace });
  return resourceVersion;
}

/** Compacts all revisions before `at`, as the API server itself does every five minutes. */
async function compact(at: string): Promise<void> {
  const body = JSON.stringify({ revision: at, physical: true });
  const answer = await fetch(`${ETCD}/v3/kv/compaction`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}
