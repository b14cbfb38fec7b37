/** `kill -9` of `lifehook controller` at every step of one restore, on the local cluster. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { deployments, persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import {
  type RestoreHook,
  type SnapshotRestoreStatus,
  snapshotRestores,
} from '../../src/lifecycles/snapshot/restore/kinds.ts';
import { nodeAuthPlugin } from '../../src/platform/node-auth-plugin.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';
import { ControllerKills } from '../fixtures/rollout-cases/controller-kills.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { installKinds } from './controller-program.ts';

const PATIENCE_S = 240;
const namespace = 'default';

const APP = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: db }
spec:
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: db
          image: none
          command: [sh, -c, 'while :; do sleep 1; done']
          volumeMounts: [{ name: data, mountPath: data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { name: cut }
spec: { source: { persistentVolumeClaimName: data } }
`;

let cluster: ClusterStand;
let kills: ControllerKills;

beforeAll(async () => {
  cluster = await openCluster('--runner', 'process');
  await installKinds(cluster);
  const { files, clock } = nodePlatform;
  const how = { files, clock, env: {}, authPlugin: nodeAuthPlugin, kubeconfig: cluster.kubeconfig };
  kills = await ControllerKills.open(cluster.client, (await loadKubeAccess(how)).transport);
  await applyManifest(cluster.client, APP);
  await eventually('the snapshot is ready', async () => {
    const { status } = await cluster.client.get(snapshots, { namespace, name: 'cut' });
    return status?.readyToUse === true;
  });
});

afterAll(async () => {
  await kills[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

type Seen = (status: SnapshotRestoreStatus) => boolean;
const started =
  (hook: string): Seen =>
  (status) =>
    status.hooks?.some(({ name }) => name === hook) === true;
const placed =
  (hook: string): Seen =>
  (status) =>
    status.hooks?.some(({ name, podUID }) => name === hook && podUID !== undefined) === true;
const succeeded =
  (hook: string): Seen =>
  (status) =>
    status.hooks?.some(({ name, outcome }) => name === hook && outcome === 'Succeeded') === true;

/** Steps that the status records, in order. */
const RECORDED: readonly Seen[] = [
  (status) => status.startedAt !== undefined,
  started('stop'),
  succeeded('stop'),
  (status) => status.claimsRequestedAt !== undefined,
  (status) => status.claims?.[0]?.claimUID !== undefined,
  (status) => status.claims?.[0]?.bound === true,
  (status) => status.claimsReadyAt !== undefined,
  started('recover'),
  placed('recover'),
  succeeded('recover'),
  started('check'),
  placed('check'),
  succeeded('check'),
  (status) => status.verification !== undefined,
  (status) => status.phase === 'CleaningUp',
  (status) => status.scaled?.[0]?.scaledBackAt !== undefined,
  (status) => status.completedAt !== undefined,
];

/** Changes of other objects that the server has stored and the status does not record yet. */
const CHANGED: readonly ((object: KubeObject) => boolean)[] = [
  ({ kind, metadata }) => kind === 'SnapshotRestore' && metadata?.finalizers?.length === 1,
  scaledTo(0),
  ({ kind, metadata }) => kind === 'PersistentVolumeClaim' && metadata?.name === 'data-friday',
  ({ kind, metadata }) => kind === 'Pod' && isOf(metadata, 'friday-recover-'),
  ({ kind, metadata }) => kind === 'Pod' && isOf(metadata, 'friday-check-'),
  scaledTo(1),
];

function isOf(metadata: KubeObject['metadata'], start: string): boolean {
  return metadata?.name?.startsWith(start) === true;
}

/** Matches the answer to the patch of the scale; an absent number means 0. */
function scaledTo(replicas: number): (object: KubeObject) => boolean {
  return (object) => {
    const { kind, spec } = object as KubeObject & { spec?: { replicas?: number } };
    return kind === 'Scale' && (spec?.replicas ?? 0) === replicas;
  };
}

const recorded =
  (seen: Seen) =>
  (object: KubeObject & { status?: SnapshotRestoreStatus }): boolean =>
    object.kind === 'SnapshotRestore' && object.status !== undefined && seen(object.status);

const hook = (name: string): RestoreHook => ({
  name,
  pod: { image: 'none', command: ['sh', '-c', `echo ${name} >>'${join(cluster.folder, 'ran')}'`] },
});

it('runs each hook once, creates its claim once, and ends, when the controller is killed at each step (SNAP-V6, SNAP-V9, SNAP-V10)', async () => {
  const traps = [...RECORDED.map(recorded), ...CHANGED].map((isIt) => kills.at(namespace, isIt));
  const spec = {
    source: { volumeSnapshotNames: ['cut'] },
    requiredVerdict: 'Any' as const,
    preRestore: [{ name: 'stop', scale: { kind: 'Deployment' as const, name: 'db' } }],
    postRestore: [hook('recover')],
    verify: [hook('check')],
  };
  await cluster.client.create(snapshotRestores, { metadata: { namespace, name: 'friday' }, spec });
  await Promise.all(traps);
  const { status } = await eventually(
    'the restore is over',
    async () => {
      const key = { namespace, name: 'friday' };
      const found = await cluster.client.get(snapshotRestores, key);
      return found.status?.completedAt === undefined ? null : found;
    },
    PATIENCE_S,
  );
  expect(status?.failure).toBeUndefined();
  expect(status?.hooks?.map(({ name, attempts }) => [name, attempts?.length])).toEqual([
    ['stop', 1],
    ['recover', 1],
    ['check', 1],
  ]);
  expect(await readFile(join(cluster.folder, 'ran'), 'utf8')).toBe('recover\ncheck\n');
  const key = { namespace, name: 'data-friday' };
  const claim = await cluster.client.get(persistentVolumeClaims, key);
  expect(claim.metadata?.uid).toBe(status?.claims?.[0]?.claimUID);
  const { spec: left } = await cluster.client.get(deployments, { namespace, name: 'db' });
  expect(left?.replicas).toBe(1);
  await eventually('nothing of it is held', async () => {
    const restore = await cluster.client.get(snapshotRestores, { namespace, name: 'friday' });
    const { items } = await cluster.client.list(pods, { namespace });
    const all = [restore, ...items.filter(({ metadata }) => isOf(metadata, 'friday-'))];
    return all.every(({ metadata }) => (metadata?.finalizers ?? []).length === 0);
  });
  expect(kills.count).toBeGreaterThanOrEqual(RECORDED.length);
});
