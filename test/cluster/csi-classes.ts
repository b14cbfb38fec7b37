/** Finds a CSI driver of this cluster that can take snapshots, with its storage class and its snapshot classes. */
import type { StorageClass } from 'kubernetes-types/storage/v1.js';

import { isReason } from '../../src/kube/api-error.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Resource } from '../../src/kube/object.ts';
import { storageClasses } from '../../src/kube/resources.ts';
import {
  classes,
  GROUP_VERSIONS,
  groupKindsOf,
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
  type SnapshotClass,
} from '../../src/kube/snapshots.ts';

export interface CsiClasses {
  readonly driver: string;
  readonly storageClassName: string;
  readonly volumeSnapshotClassName: string;
  /** null if the driver makes no group snapshots. */
  readonly volumeGroupSnapshotClassName: string | null;
}

const IS_DEFAULT_STORAGE = 'storageclass.kubernetes.io/is-default-class';

/** Classes of one driver, preferably one with group snapshots; null if no driver of this cluster makes snapshots. */
export async function findCsiClasses(client: KubeClient): Promise<CsiClasses | null> {
  const { items: storages } = await client.list(storageClasses);
  const singles = await listServed(client, classes);
  const groups = await listGroupClasses(client);
  const found = defaultFirst(storages, IS_DEFAULT_STORAGE).flatMap((storage) => {
    const driver = storage.provisioner;
    const ofDriver = (each: SnapshotClass): boolean => each.driver === driver;
    const [single] = defaultFirst(singles.filter(ofDriver), IS_DEFAULT_CLASS);
    const [group] = defaultFirst(groups.filter(ofDriver), IS_DEFAULT_GROUP_CLASS);
    if (single === undefined) return [];
    return {
      driver,
      storageClassName: nameOf(storage),
      volumeSnapshotClassName: nameOf(single),
      volumeGroupSnapshotClassName: group === undefined ? null : nameOf(group),
    };
  });
  return found.find((each) => each.volumeGroupSnapshotClassName !== null) ?? found[0] ?? null;
}

function nameOf({ metadata }: StorageClass | SnapshotClass): string {
  return metadata?.name ?? '';
}

async function listGroupClasses(client: KubeClient): Promise<readonly SnapshotClass[]> {
  for (const version of GROUP_VERSIONS) {
    const found = await listServed(client, groupKindsOf(version).classes);
    if (found.length > 0) return found;
  }
  return [];
}

async function listServed(
  client: KubeClient,
  resource: Resource<SnapshotClass>,
): Promise<readonly SnapshotClass[]> {
  try {
    return (await client.list(resource)).items;
  } catch (error) {
    if (isReason(error, 'NotFound')) return [];
    throw error;
  }
}

function defaultFirst<T extends StorageClass | SnapshotClass>(
  items: readonly T[],
  mark: string,
): readonly T[] {
  const isDefault = ({ metadata }: T): boolean => metadata?.annotations?.[mark] === 'true';
  return items.toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
}
