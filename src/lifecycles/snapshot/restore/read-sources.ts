/** Reads the objects from which a restore is planned. Nothing is cached, since a restore is planned once. */
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
  const recorders: Recorders = { client, application, windows: windowsIn(client, namespace) };
  const sources: SnapshotSource[] = [];
  const missing: string[] = [];
  for (const each of names) {
    const snapshot = await getOrNull(client, snapshots, { namespace, name: each });
    if (snapshot === null || !isMeant(application, snapshot)) missing.push(each);
    else sources.push(await sourceOf(recorders, snapshot));
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

/** Where the record of a VolumeSnapshot is looked up. */
interface Recorders {
  readonly client: KubeClient;
  /** The ApplicationSnapshot that the spec names; null: it names none, or it does not exist. */
  readonly application: ApplicationSnapshot | null;
  readonly windows: () => Promise<readonly ApplicationSnapshot[]>;
}

/**
 * Returns a function that resolves with the ApplicationSnapshots of the namespace, including windows. It lists them
 * once.
 */
function windowsIn(client: KubeClient, namespace: string): Recorders['windows'] {
  let listed: Promise<readonly ApplicationSnapshot[]> | undefined;
  return () =>
    (listed ??= client.list(applicationSnapshots, { namespace }).then(({ items }) => items));
}

async function sourceOf(
  { client, application, windows }: Recorders,
  snapshot: VolumeSnapshot,
): Promise<SnapshotSource> {
  const content = await contentOf(client, snapshot);
  const record = application ?? (await recordOf(client, snapshot));
  if (record !== null) return { snapshot, content, record, window: null };
  const window = (await windows()).find((each) => admits(each, snapshot)) ?? null;
  return { snapshot, content, record, window };
}

async function recordOf(
  client: KubeClient,
  snapshot: VolumeSnapshot,
): Promise<ApplicationSnapshot | null> {
  const { namespace = '', labels = {} } = snapshot.metadata ?? {};
  const name = controllerOf(snapshot)?.name ?? labels[MADE_FOR];
  if (name === undefined) return null;
  const found = await getOrNull(client, applicationSnapshots, { namespace, name });
  return found !== null && records(found, snapshot) ? found : null;
}

/**
 * Whether the ApplicationSnapshot created this VolumeSnapshot. Its status decides: a label or an owner can be forged.
 */
function records({ status }: ApplicationSnapshot, { metadata }: VolumeSnapshot): boolean {
  const { name = '', uid = '' } = metadata ?? {};
  return (status?.volumes ?? []).some(
    ({ volumeSnapshotName, volumeSnapshotUID }) =>
      volumeSnapshotName === name && volumeSnapshotUID === uid,
  );
}

/**
 * Whether the window admitted this VolumeSnapshot, or the group that owns it. Only a wait depends on the result, never
 * a verdict.
 */
function admits({ status }: ApplicationSnapshot, { metadata }: VolumeSnapshot): boolean {
  const owners = (metadata?.ownerReferences ?? []).map(({ uid }) => uid);
  const uids = [metadata?.uid, ...owners];
  return (status?.admitted ?? []).some(({ uid }) => uids.includes(uid));
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
