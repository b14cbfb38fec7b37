/** Tests the local cluster on btrfs: it snapshots volumes atomically, and leaves nothing of them at the end. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type ClusterStand, openWholeCluster } from '../e2e/cluster-stand.ts';
import { stepsOn } from '../e2e/kubectl-steps.ts';
import { type LoopVolumes, openLoopVolumes } from '../fixtures/snapshot-databases/loop-volumes.ts';

const CLAIM = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: writer }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: writer
      image: none
      command: [sh, -c, 'echo rows >"$LIFEHOOK_VOLUME_DATA/rows"; while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
const SNAPSHOT = `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { name: first }
spec: { source: { persistentVolumeClaimName: data } }
`;
const PERMISSIONS = 0o777;

let volumes: LoopVolumes;
let cluster: ClusterStand;
const { ok, apply, field } = stepsOn(() => cluster);
const before = process.env['TMPDIR'];

beforeAll(async () => {
  volumes = openLoopVolumes();
  // The cluster keeps its state in a temporary directory, so this puts the state on btrfs.
  process.env['TMPDIR'] = await volumes.make('state');
  cluster = await openWholeCluster();
});

afterAll(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  await cluster[Symbol.asyncDispose]();
  await volumes[Symbol.asyncDispose]();
});

it('takes an atomic snapshot of a volume on btrfs, denies other users its directory, and leaves nothing after down --delete', async () => {
  await apply(CLAIM);
  await ok('wait', '--for=condition=Ready', 'pod/writer', '--timeout=100s');
  await apply(SNAPSHOT);
  await ok('wait', '--for=jsonpath={.status.readyToUse}=true', 'vs/first', '--timeout=100s');
  const content = await field('vs first', '.status.boundVolumeSnapshotContentName');
  const marks = await field(`volumesnapshotcontent ${content}`, '.metadata.annotations');
  expect(JSON.parse(marks)).toMatchObject({
    'lifehook.dev/snapshot-method': 'btrfs',
    'lifehook.dev/atomic': 'true',
  });
  expect(statSync(join(cluster.folder, 'volumes')).mode & PERMISSIONS).toBe(0o700);
  expect(await cluster.lifehook('down', '--delete')).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(cluster.folder)).toBe(false);
});
