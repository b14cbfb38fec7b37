/**
 * Binds a claim and a volume in four writes.
 *
 * The first write sets the claim reference of the volume, so that no other claim can get it. After a restart between
 * two writes the binding continues where it stopped.
 */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { sameJson } from '../../../../../src/controller/same-json.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import type { ObjectMeta } from '../../../../../src/kube/object.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../../../../src/kube/resources.ts';

export async function bind(
  client: KubeClient,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): Promise<void> {
  const reserved = await reserve(client, claim, volume);
  const status = { ...reserved.status, phase: 'Bound' };
  await writeStatusIfChanged({ client, resource: persistentVolumes, object: reserved, status });
  await complete(client, claim, reserved);
}

/** The claimRef by which a volume names its claim. */
export function referenceTo({ namespace = '', name = '', uid = '' }: ObjectMeta = {}): {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
} {
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid };
}

async function reserve(
  client: KubeClient,
  { metadata = {} }: PersistentVolumeClaim,
  volume: PersistentVolume,
): Promise<PersistentVolume> {
  if (volume.spec?.claimRef?.uid === metadata.uid) return volume;
  const byHand = volume.spec?.claimRef !== undefined;
  return client.replace(persistentVolumes, {
    ...volume,
    metadata: annotated(volume.metadata, byHand ? [] : [BOUND_BY_CONTROLLER]),
    spec: { ...volume.spec, claimRef: referenceTo(metadata) },
  });
}

async function complete(
  client: KubeClient,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): Promise<void> {
  const object = await point(client, claim, volume.metadata?.name ?? '');
  const { accessModes = [], capacity = {} } = volume.spec ?? {};
  const status = { ...object.status, phase: 'Bound', accessModes, capacity };
  await writeStatusIfChanged({ client, resource: persistentVolumeClaims, object, status });
}

async function point(
  client: KubeClient,
  claim: PersistentVolumeClaim,
  volumeName: string,
): Promise<PersistentVolumeClaim> {
  const before = claim.spec?.volumeName ?? '';
  const marks = [BIND_COMPLETED, ...(before === '' ? [BOUND_BY_CONTROLLER] : [])];
  const metadata = annotated(claim.metadata, marks);
  if (before === volumeName && sameJson(metadata, claim.metadata)) return claim;
  const spec = { ...claim.spec, volumeName };
  return client.replace(persistentVolumeClaims, { ...claim, metadata, spec });
}

function annotated(metadata: ObjectMeta = {}, names: readonly string[]): ObjectMeta {
  const added = Object.fromEntries(names.map((name) => [name, 'yes']));
  return { ...metadata, annotations: { ...metadata.annotations, ...added } };
}

/**
 * Names of annotations and drivers that claims, volumes and provisioners share. Those of Kubernetes are the same on any
 * cluster.
 */
export const DRIVER = 'lifehook.dev/local';
export const DEFAULT_CLASS_NAME = 'local';

export const IS_DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const PVC_PROTECTION = 'kubernetes.io/pvc-protection';
export const PV_PROTECTION = 'kubernetes.io/pv-protection';
