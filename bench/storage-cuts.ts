/** Finds the snapshots that the recipe's CSI driver has cut, by its record files, and creates claims from them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { persistentVolumeClaims } from '../src/kube/resources.ts';
import { contents, snapshots } from '../src/kube/snapshots.ts';
import type { CsiClasses } from '../test/cluster/csi-classes.ts';
import { kubeconfigPath } from '../test/cluster/real-cluster.ts';
import type { CutTimes } from '../test/fixtures/snapshot-databases/judge-copy.ts';
import { makeClaim } from '../test/fixtures/snapshot-databases/written-database.ts';
import type { SnapshotCluster } from './snapshot-cluster.ts';

export interface StorageCut extends CutTimes {
  readonly handle: string;
}

export const RECIPE_DRIVER = 'folders.csi.test';

/** The cuts of one volume since a time in Unix milliseconds, in order. */
export function cutsSince(volume: string, sinceMs: number): readonly StorageCut[] {
  const folder = join(dirname(kubeconfigPath()), 'csi-data', 'snapshots');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const cuts = files.flatMap((file) => {
    const { ID, Source, Cut } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CutRecord;
    const beganMs = Date.parse(Cut);
    if (Source !== volume || beganMs < sinceMs) return [];
    return [{ handle: ID, beganMs, endedMs: statSync(join(folder, file)).mtimeMs }];
  });
  return cuts.toSorted((a, b) => a.beganMs - b.beganMs);
}

interface CutRecord {
  readonly ID: string;
  readonly Source: string;
  readonly Cut: string;
}

/** Creates a claim from a snapshot of the storage by its handle, because the original VolumeSnapshot may be deleted. */
export async function claimOfCut(
  cluster: SnapshotCluster,
  options: { readonly name: string; readonly handle: string; readonly csi: CsiClasses },
): Promise<void> {
  const { client, namespace } = cluster;
  const { name, handle, csi } = options;
  await client.create(contents, {
    metadata: { name: contentName(namespace, name) },
    spec: {
      deletionPolicy: 'Delete',
      driver: csi.driver,
      source: { snapshotHandle: handle },
      volumeSnapshotRef: { namespace, name },
    },
  });
  await client.create(snapshots, {
    metadata: { name, namespace },
    spec: { source: { volumeSnapshotContentName: contentName(namespace, name) } },
  });
  await makeClaim(cluster, { name, storageClassName: csi.storageClassName, from: name });
}

/** Deletes the claim and the snapshot that it was created from. */
export async function deleteClaim(cluster: SnapshotCluster, name: string): Promise<void> {
  const { client, namespace } = cluster;
  await client.delete(persistentVolumeClaims, { namespace, name });
  await client.delete(snapshots, { namespace, name });
}

function contentName(namespace: string, name: string): string {
  return `${namespace}-${name}`;
}
