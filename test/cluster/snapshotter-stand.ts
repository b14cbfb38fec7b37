/** Runs the snapshotter in this process on a real cluster. */
import { groupDefinitions, singleDefinitions } from '../../packages/local-cluster/src/index.ts';
import { runSnapshotter } from '../../packages/local-cluster/src/testing.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import { customResourceDefinitions } from '../../src/kube/resources.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { removeDefinition } from '../fixtures/define-kinds.ts';
import type { ClusterConnection } from './real-cluster.ts';

/**
 * Returns a function that stops the snapshotter. Definitions that existed before, such as those of a CSI driver, stay.
 */
export async function startSnapshotter(
  { client, connection }: ClusterConnection,
  platform: Platform = nodePlatform,
): Promise<() => Promise<void>> {
  const { items: definitions } = await client.list(customResourceDefinitions);
  const before = new Set(definitions.map(({ metadata }) => metadata?.name));
  const world = { client, platform, random: Math.random };
  const recorder = new EventRecorder({ ...world, component: 'lifehook-snapshotter' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = watchCluster(connection);
  const running = runSnapshotter({ ...world, recorder, watch, election: null, signal });
  return async () => {
    await recorder.stop();
    stopping.abort();
    await running;
    const { items } = await client.list(snapshots);
    if (items.length > 0) return;
    for (const { metadata } of [...singleDefinitions, ...groupDefinitions]) {
      const { name = '' } = metadata ?? {};
      if (!before.has(name)) await removeDefinition(client, name);
    }
  };
}
