/**
 * Provisions the volume for a claim of our class: a directory in the cluster's state directory.
 *
 * The directory is empty, or has the content of a snapshot or of another claim. It is complete before the
 * PersistentVolume is created.
 */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { StorageClass } from 'kubernetes-types/storage/v1.js';

import type { KubeClient } from '../../../../../src/kube/client.ts';
import { createOrGet } from '../../../../../src/kube/get-or-null.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  volumeSnapshotContents,
  volumeSnapshots,
} from '../../../../../src/kube/resources.ts';
import type { Files } from '../../../../../src/platform/platform.ts';
import { isTrue, textAt } from '../../../../../src/kube/fields.ts';
import type { Cutter } from '../../snapshots/storage/cutter.ts';
import { pathOfVolume } from '../../snapshots/context.ts';
import { referenceTo, DRIVER, PROVISIONED_BY, PV_PROTECTION } from './bind.ts';

export interface Provisioning {
  readonly client: KubeClient;
  readonly files: Files;
  readonly cutter: Cutter;
  /** Directory that contains the directories of all volumes. */
  readonly folder: string;
}

/** The volume cannot be provisioned now; a retry may succeed. */
export class ProvisioningError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProvisioningError';
  }
}

/** Mode of a volume's directory: every user in a pod may write. */
const SHARED_MODE = 0o777;
/** Mode of the directory of all volumes. The runtimes let each container enter it. */
const PRIVATE_MODE = 0o700;

export async function provision(
  world: Provisioning,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): Promise<PersistentVolume> {
  if (claim.spec?.volumeMode === 'Block') {
    throw new ProvisioningError(
      `${DRIVER} provides directories, not block devices: use volumeMode Filesystem`,
    );
  }
  const name = `pvc-${claim.metadata?.uid ?? ''}`;
  const path = `${world.folder}/${name}`;
  await world.cutter.makeRoot(world.folder, PRIVATE_MODE);
  await fill(world, claim, path);
  return createOrGet(
    world.client,
    persistentVolumes,
    volumeFor(claim, storageClass, { name, path }),
  );
}

async function fill(
  world: Provisioning,
  claim: PersistentVolumeClaim,
  path: string,
): Promise<void> {
  if (await world.cutter.isThere(path)) return;
  const source = claim.spec?.dataSource ?? claim.spec?.dataSourceRef;
  if (source === undefined) {
    await world.files.makeFolder(path, SHARED_MODE);
    return;
  }
  const namespace = claim.metadata?.namespace ?? '';
  const key = { namespace, name: source.name };
  const from = await sourcePath(world, source.kind, key);
  const failure = await world.cutter.restore(from, path);
  if (failure !== null) throw new ProvisioningError(`${source.kind} ${source.name}: ${failure}`);
}

async function sourcePath(
  { client }: Provisioning,
  kind: string,
  key: { readonly namespace: string; readonly name: string },
): Promise<string> {
  if (kind === 'VolumeSnapshot') return snapshotPath(client, key);
  if (kind !== 'PersistentVolumeClaim') {
    throw new ProvisioningError(
      `a volume is filled from a VolumeSnapshot or a claim, not from a ${kind}`,
    );
  }
  const claim = await client.get(persistentVolumeClaims, key);
  if (claim.status?.phase !== 'Bound') {
    throw new ProvisioningError(
      `claim ${key.name} is in phase ${claim.status?.phase ?? ''}, not Bound`,
    );
  }
  const name = claim.spec?.volumeName ?? '';
  const path = pathOfVolume(await client.get(persistentVolumes, { name }));
  if (path !== null) return path;
  throw new ProvisioningError(
    `the volume ${name} of claim ${key.name} is not a directory of this machine`,
  );
}

async function snapshotPath(
  client: KubeClient,
  key: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const { status = {} } = await client.get(volumeSnapshots, key);
  if (!isTrue(status, 'readyToUse')) {
    throw new ProvisioningError(`snapshot ${key.name} is not ready to use`);
  }
  const name = textAt(status, 'boundVolumeSnapshotContentName');
  const content = await client.get(volumeSnapshotContents, { name });
  if (textAt(content.spec, 'driver') !== DRIVER) {
    throw new ProvisioningError(`snapshot ${key.name} is not of driver ${DRIVER}`);
  }
  return textAt(content.status, 'snapshotHandle');
}

function volumeFor(
  { metadata, spec = {} }: PersistentVolumeClaim,
  { metadata: { name: className = '' } = {}, reclaimPolicy, mountOptions }: StorageClass,
  { name, path }: { readonly name: string; readonly path: string },
): PersistentVolume {
  return {
    metadata: {
      name,
      annotations: { [PROVISIONED_BY]: DRIVER },
      finalizers: [PV_PROTECTION],
    },
    spec: {
      accessModes: spec.accessModes ?? [],
      capacity: { storage: spec.resources?.requests?.['storage'] ?? '0' },
      claimRef: referenceTo(metadata),
      csi: { driver: DRIVER, volumeHandle: name, volumeAttributes: { path } },
      persistentVolumeReclaimPolicy: reclaimPolicy ?? 'Delete',
      storageClassName: className,
      volumeMode: 'Filesystem',
      ...(mountOptions === undefined ? {} : { mountOptions }),
    },
  };
}
