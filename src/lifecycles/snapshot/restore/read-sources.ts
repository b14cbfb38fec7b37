/** Reads what a restore is planned from. Nothing here is cached: a restore is planned once. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { controllerOf } from '../../../controller/indexes.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import {
  contents,
  snapshots,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import { applicationSnapshots, type ApplicationSnapshot } from '../kinds.ts';
import { identify } from '../app/identify.ts';
import { MADE_FOR } from '../names.ts';
import type { SnapshotRestore } from './kinds.ts';
import type { RestoreSources } from './plan.ts';
import { isContentOf, type SnapshotSource } from './source-verdict.ts';

export async function readRestoreSources(
  client: KubeClient,
  restore: SnapshotRestore,
): Promise<RestoreSources> {
  const { namespace } = identify(restore);
  const { applicationSnapshotName: name, volumeSnapshotNames = [] } = restore.spec.source;
  const application =
    name === undefined ? null : await getOrNull(client, applicationSnapshots, { namespace, name });
  const names = name === undefined ? volumeSnapshotNames : namesIn(application);
  const sources: SnapshotSource[] = [];
  const missing: string[] = [];
  for (const each of names) {
    const snapshot = await getOrNull(client, snapshots, { namespace, name: each });
    if (snapshot === null || !isMeant(application, snapshot)) missing.push(each);
    else sources.push(await sourceOf(client, snapshot, application));
  }
  return { application, sources, missing, claims: await readClaims(client, namespace, sources) };
}

function namesIn(application: ApplicationSnapshot | null): readonly string[] {
  const volumes = application?.status?.volumes ?? [];
  return volumes.flatMap(({ volumeSnapshotName }) => volumeSnapshotName ?? []);
}

function isMeant(application: ApplicationSnapshot | null, snapshot: VolumeSnapshot): boolean {
  return application === null || records(application, snapshot);
}

async function sourceOf(
  client: KubeClient,
  snapshot: VolumeSnapshot,
  application: ApplicationSnapshot | null,
): Promise<SnapshotSource> {
  const content = await contentOf(client, snapshot);
  if (application !== null) return { snapshot, content, record: application };
  const { namespace = '', labels = {} } = snapshot.metadata ?? {};
  const name = controllerOf(snapshot)?.name ?? labels[MADE_FOR];
  if (name === undefined) return { snapshot, content, record: null };
  const found = await getOrNull(client, applicationSnapshots, { namespace, name });
  return { snapshot, content, record: found !== null && records(found, snapshot) ? found : null };
}

/** Whether the ApplicationSnapshot created this VolumeSnapshot: a label or an owner can be forged, its status not. */
function records({ status }: ApplicationSnapshot, { metadata }: VolumeSnapshot): boolean {
  const { name = '', uid = '' } = metadata ?? {};
  return (status?.volumes ?? []).some(
    ({ volumeSnapshotName, volumeSnapshotUID }) =>
      volumeSnapshotName === name && volumeSnapshotUID === uid,
  );
}

async function contentOf(
  client: KubeClient,
  snapshot: VolumeSnapshot,
): Promise<VolumeSnapshotContent | null> {
  const name = snapshot.status?.boundVolumeSnapshotContentName;
  if (name === undefined) return null;
  const content = await getOrNull(client, contents, { name });
  return isContentOf(content, snapshot) ? content : null;
}

async function readClaims(
  client: KubeClient,
  namespace: string,
  sources: readonly SnapshotSource[],
): Promise<ReadonlyMap<string, PersistentVolumeClaim>> {
  const found = new Map<string, PersistentVolumeClaim>();
  for (const { snapshot } of sources) {
    const name = snapshot.spec?.source?.persistentVolumeClaimName;
    if (name === undefined) continue;
    const claim = await getOrNull(client, persistentVolumeClaims, { namespace, name });
    if (claim !== null) found.set(name, claim);
  }
  return found;
}
