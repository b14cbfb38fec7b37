/**
 * The clusters for the database cases: a real one with the snapshotter in this process, and a local one with its own.
 */
import { CLASS_NAME, runSnapshotter } from '../../packages/local-cluster/src/testing.ts';
import { EventRecorder } from '../../src/controller/event-recorder.ts';
import type { WatchAny, WatchRequest } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import { getOrNull } from '../../src/kube/get-or-null.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { groupClasses, type Reference } from '../../src/kube/snapshots.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type DatabaseCluster, IMAGE } from '../fixtures/snapshot-databases/database-cluster.ts';
import { connect, openCluster } from '../e2e/cluster-stand.ts';
import { databases, imageTree, loadImage } from './images.ts';
import { type ClusterConnection, connectToCluster } from './real-cluster.ts';

export async function openRealCluster(): Promise<DatabaseCluster> {
  await loadImage(databases);
  const cluster = connectToCluster();
  return {
    ...cluster,
    connect: async () => connectToCluster().connection,
    image: IMAGE,
    startSnapshotter: (namespace) => startSnapshotter(cluster, namespace),
    [Symbol.asyncDispose]: async () => {
      cluster.connection.transport.close();
    },
  };
}

export async function openLocalCluster(): Promise<DatabaseCluster> {
  const cluster = await openCluster('--runner', 'runc');
  const { client, connection, kubeconfig } = cluster;
  const { code, stderr } = await cluster.lifehook(
    'image',
    'import',
    imageTree(databases),
    IMAGE,
    '--link',
  );
  if (code !== 0) throw new Error(`lifehook image import: ${stderr}`);
  return {
    client,
    connection,
    connect: () => connect(kubeconfig),
    image: IMAGE,
    startSnapshotter: async () => async () => {},
    [Symbol.asyncDispose]: async () => cluster[Symbol.asyncDispose](),
  };
}

/**
 * Starts the snapshotter for the objects of the namespace. Returns a function that stops it, and leaves the kinds,
 * because other tests may use them.
 */
export async function startSnapshotter(
  { client, connection }: ClusterConnection,
  namespace: string,
): Promise<() => Promise<void>> {
  const world = { client, platform, random: Math.random };
  const recorder = new EventRecorder({ ...world, component: 'lifehook-snapshotter' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = within(namespace, watchCluster(connection));
  const running = runSnapshotter({ ...world, recorder, watch, election: null, signal });
  await eventually('snapshots are served', () =>
    getOrNull(client, groupClasses, { name: CLASS_NAME }),
  );
  return async () => {
    await recorder.stop();
    stopping.abort();
    await running;
  };
}

/** Hides the VolumeSnapshots of other namespaces and their contents, where other suites work. */
function within(namespace: string, watch: WatchAny): WatchAny {
  return async function* <T extends KubeObject>(request: WatchRequest<T>) {
    for await (const event of watch(request)) {
      const isObject = event.type === 'Upsert' || event.type === 'Delete';
      if (!isObject || isOf(namespace, event.object)) yield event;
    }
  };
}

function isOf(namespace: string, object: KubeObject): boolean {
  const { metadata, spec } = object as KubeObject & { readonly spec?: ContentSpec };
  const ref = spec?.volumeSnapshotRef ?? spec?.volumeGroupSnapshotRef;
  return (metadata?.namespace ?? ref?.namespace ?? namespace) === namespace;
}

/** The `spec` of a VolumeSnapshotContent or of a VolumeGroupSnapshotContent. */
interface ContentSpec {
  readonly volumeSnapshotRef?: Reference;
  readonly volumeGroupSnapshotRef?: Reference;
}
