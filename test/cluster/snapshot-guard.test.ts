/**
 * Snapshots that other clients take of a guarded MariaDB under load, through the cluster's CSI driver, sidecar and
 * snapshot controller. Each is cut while the database is frozen: a server on the restored claim shows that. None of the
 * clients knows Lifehook. The test counts the rows that the database acknowledged, and trusts no status.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { judgeCopy } from '../fixtures/snapshot-databases/judge-copy.ts';
import {
  DATA,
  lookAtCopy,
  makeClaim,
  SERVER,
  writeDatabase,
  type WrittenDatabase,
} from '../fixtures/snapshot-databases/written-database.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { requireServed } from '../needs.ts';
import { type GuardStand, openGuardStand } from './guard-stand.ts';
import { databases, loadImage, openArchive } from './images.ts';
import { clusterKubectl } from './real-cluster.ts';

const KUBECTL_IMAGE = 'docker.io/local/kubectl:1';
const CONSISTENT = 'ApplicationConsistent FrozenAtCut';

let stand: GuardStand | null = null;
let database: WrittenDatabase;
/** Steps of the cleanup, which run in reverse order. */
const undo: (() => PromiseLike<unknown>)[] = [];

beforeAll(async () => {
  await loadImage(databases);
  await loadKubectl();
  stand = await openGuardStand('guarded');
  if (stand === null) return;
  const { csi } = stand;
  undo.push(() => here()[Symbol.asyncDispose]());
  await makeClaim(place(), { name: DATA, storageClassName: csi.storageClassName });
  database = await writeDatabase(place());
  undo.push(() => database.stop());
  await stand.guard({
    claimSelector: { matchLabels: { app: SERVER } },
    executionHookInfos: [{ recipe: { name: 'mariadb-lock' } }],
    freezeTimeoutSeconds: 25,
  });
}, 600_000);

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
}, 300_000);

beforeEach((context) => {
  const what = 'a StorageClass and a VolumeSnapshotClass of one CSI driver';
  requireServed(context, stand !== null, what);
});

function here(): GuardStand {
  if (stand === null) throw new Error('there is no stand without a CSI driver');
  return stand;
}

function place(): Parameters<typeof lookAtCopy>[0] {
  const { cluster, namespace } = here();
  return { ...cluster, namespace };
}

/** Loads an image that contains only kubectl into the nodes, for the Job. */
async function loadKubectl(): Promise<void> {
  await using archive = await openArchive();
  const root = join(archive.folder, 'root');
  mkdirSync(root);
  copyFileSync(clusterKubectl(), join(root, 'kubectl'));
  await archive.add([KUBECTL_IMAGE], [await archive.layer('layer', root)]);
  await archive.load();
}

/**
 * The copy has every row acknowledged before the window admitted, and no row requested after the window closed. Its
 * non-transactional tables are equal and cleanly closed. In a copy of a database that still writes, they never are.
 */
async function expectConsistent(snapshot: string, admitted: string = snapshot): Promise<void> {
  const { status } = await here().windowOf(admitted);
  const claim = `of-${admitted}`;
  const { storageClassName } = here().csi;
  await makeClaim(place(), { name: claim, storageClassName, from: snapshot });
  const found = await lookAtCopy(place(), claim);
  const times = {
    beganMs: Date.parse(status?.cutRequestedAt ?? ''),
    endedMs: Date.parse(status?.closedAt ?? ''),
  };
  expect(judgeCopy(found, database.rows, times)).toMatchObject({ problems: [] });
}

it('is frozen for `kubectl create` of a VolumeSnapshot, which is restored with its rows', async () => {
  expect(await here().create('by-hand', DATA)).toMatchObject({ code: 0, stderr: '' });
  expect(await here().verdictOf('by-hand')).toEqual([CONSISTENT, CONSISTENT]);
  await expectConsistent('by-hand');
}, 600_000);

it('is frozen for a Job of a CronJob, which takes the snapshot with an account of its own', async () => {
  const { kubectl } = here();
  for (const manifest of account()) {
    expect(await kubectl(['create', '-f', '-'], manifest)).toMatchObject({ code: 0 });
  }
  expect(await kubectl(['create', 'job', 'tonight', '--from=cronjob/nightly'])).toMatchObject({
    code: 0,
  });
  const done = await kubectl(['wait', '--for=condition=Complete', 'job/tonight', '--timeout=2m']);
  expect(done).toMatchObject({ code: 0 });
  const { stdout } = await kubectl(['get', 'volumesnapshots', '-l', 'by=nightly', '-o', 'name']);
  const [, name = ''] = stdout.trim().split('/');
  expect(name).toMatch(/^nightly-/);
  expect(await here().verdictOf(name)).toEqual([CONSISTENT, CONSISTENT]);
  await expectConsistent(name);
}, 600_000);

it('is frozen for a VolumeGroupSnapshot, and its members have the verdict too', async (context) => {
  const { volumeGroupSnapshotClassName } = here().csi;
  requireServed(context, volumeGroupSnapshotClassName !== null, 'a VolumeGroupSnapshotClass');
  const made = await here().kubectl(['create', '-f', '-'], {
    apiVersion: 'groupsnapshot.storage.k8s.io/v1',
    kind: 'VolumeGroupSnapshot',
    metadata: { name: 'group' },
    spec: {
      volumeGroupSnapshotClassName,
      source: { selector: { matchLabels: { app: SERVER } } },
    },
  });
  expect(made).toMatchObject({ code: 0 });
  expect(await here().groupVerdictOf('group')).toBe(CONSISTENT);
  const members = await eventually('the group has members', () => here().membersOf('group'));
  expect(members).toHaveLength(1);
  const [{ metadata } = {}] = members;
  const name = metadata?.name ?? '';
  expect(await here().verdictOf(name)).toEqual([CONSISTENT, CONSISTENT]);
  await expectConsistent(name, 'group');
}, 600_000);

/** A CronJob whose schedule never starts it, and the rights that its Jobs need. */
function account(): readonly object[] {
  const name = 'nightly';
  const snapshot = {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { generateName: 'nightly-', labels: { by: name } },
    spec: { source: { persistentVolumeClaimName: DATA } },
  };
  const container = {
    name: 'kubectl',
    image: KUBECTL_IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['/kubectl', 'create', '--validate=false', '-f', '/manifest/snapshot.json'],
    volumeMounts: [{ name: 'manifest', mountPath: '/manifest' }],
  };
  const pod = {
    serviceAccountName: name,
    restartPolicy: 'Never',
    containers: [container],
    volumes: [{ name: 'manifest', configMap: { name } }],
  };
  const rbac = 'rbac.authorization.k8s.io';
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: { name },
      rules: [
        {
          apiGroups: ['snapshot.storage.k8s.io'],
          resources: ['volumesnapshots'],
          verbs: ['create'],
        },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: here().namespace }],
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { 'snapshot.json': JSON.stringify(snapshot) },
    },
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name },
      spec: {
        schedule: '0 0 31 2 *',
        jobTemplate: { spec: { backoffLimit: 0, template: { spec: pod } } },
      },
    },
  ];
}
