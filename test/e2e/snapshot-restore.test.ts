/** Restores on the local cluster: real copies, real pods, and a controller that is killed meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deployments, persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { applicationSnapshots } from '../../src/lifecycles/snapshot/kinds.ts';
import {
  type SnapshotRestore,
  type SnapshotRestoreSpec,
  snapshotRestores,
} from '../../src/lifecycles/snapshot/restore/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';
import { type ClusterStand, type Ended, openWholeCluster, run } from './cluster-stand.ts';

const PATIENCE_S = 90;
const NAMESPACE = 'default';

/** A file marks the application as frozen, so a copy without that file was cut outside of the freeze. */
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
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'touch data/frozen'] } }
postAction: { exec: { command: [sh, -c, 'rm data/frozen'] } }
probe: { exec: { command: [sh, -c, 'test -e data/frozen'] } }
`;

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await applyManifest(cluster.client, APP);
  await eventually('the application runs', isRunning, PATIENCE_S);
  expect((await snapshot('good', '--template', 'freeze')).code).toBe(0);
  expect((await snapshot('crash')).code).toBe(0);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function isRunning(): Promise<boolean> {
  const { status } = await cluster.client.get(deployments, { namespace: NAMESPACE, name: 'db' });
  return status?.readyReplicas === 1;
}

function lifehook(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  return run(process.execPath, [program, ...args, '--kubeconfig', cluster.kubeconfig]);
}

const snapshot = (name: string, ...args: readonly string[]): Promise<Ended> =>
  lifehook('snapshot', 'create', name, '--claim', 'data', ...args);
const restore = (...args: readonly string[]): Promise<Ended> =>
  lifehook('snapshot', 'restore', ...args);

async function claimNames(): Promise<readonly string[]> {
  const { items } = await cluster.client.list(persistentVolumeClaims, { namespace: NAMESPACE });
  return items.map(({ metadata }) => metadata?.name ?? '');
}

async function begin(name: string, spec: Partial<SnapshotRestoreSpec>): Promise<void> {
  const source = { applicationSnapshotName: 'good' };
  await cluster.client.create(snapshotRestores, {
    metadata: { namespace: NAMESPACE, name },
    spec: { source, ...spec },
  });
}

async function until(
  name: string,
  what: string,
  is: (found: SnapshotRestore) => boolean,
): Promise<SnapshotRestore> {
  const key = { namespace: NAMESPACE, name };
  await eventually(
    `restore ${name} ${what}`,
    async () => is(await cluster.client.get(snapshotRestores, key)),
    PATIENCE_S,
  );
  return cluster.client.get(snapshotRestores, key);
}

const isOver = ({ status }: SnapshotRestore): boolean => status?.completedAt !== undefined;
const shell = (line: string): { image: string; command: string[] } => ({
  image: 'none',
  command: ['sh', '-c', line],
});

describe('a restore', () => {
  it('creates a claim from the snapshot, and its check sees the frozen copy (SNAP-V6, SNAP-V11)', async () => {
    const check = ['--image', 'none', '--command', 'test -e "$LIFEHOOK_PATH/frozen"'];
    const { code, stdout, stderr } = await restore('good', '--claim', 'data=copy', ...check);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('claim     data -> copy, 1Mi, bound');
    expect(stdout).toContain('verified  Passed');
    const key = { namespace: NAMESPACE, name: 'copy' };
    const { metadata, status } = await cluster.client.get(persistentVolumeClaims, key);
    expect(status?.phase).toBe('Bound');
    expect(metadata?.ownerReferences).toBeUndefined();
  });

  it('is refused below the required verdict, and creates no claim (SNAP-V2)', async () => {
    const before = await claimNames();
    const { code, stderr } = await restore('crash');
    expect(code).toBe(5);
    expect(stderr).toContain(
      'CrashConsistent (AtomicCut), and ApplicationConsistent is required: ',
    );
    expect(await claimNames()).toEqual(before);
    const low = await restore('crash', '--require', 'CrashConsistent', '--claim', 'data=crashed');
    expect(low.code).toBe(0);
  });

  it('does not trust a forged label, but the record of the snapshot (SNAP-V3)', async () => {
    const key = { namespace: NAMESPACE, name: 'crash' };
    const { status } = await cluster.client.get(applicationSnapshots, key);
    const name = status?.volumes?.[0]?.volumeSnapshotName ?? '';
    const labels = { 'lifehook.dev/verdict': 'ApplicationConsistent' };
    const body = { metadata: { labels } };
    const forged = { namespace: NAMESPACE, name };
    await cluster.client.patch(snapshots, forged, { type: 'merge', body });
    const { code, stderr } = await restore('--volume-snapshot', name);
    expect(code).toBe(5);
    expect(stderr).toContain('(VerdictTooLow)');
    await eventually('the label is that of the record again (SNAP-S7)', async () => {
      const { metadata } = await cluster.client.get(snapshots, forged);
      return metadata?.labels?.['lifehook.dev/verdict'] === status?.verdict?.value;
    });
  });

  it('never overwrites a claim that exists (SNAP-V4)', async () => {
    const { code, stderr } = await restore('good', '--claim', 'data=data');
    expect(code).toBe(1);
    expect(stderr).toContain('Claim data exists already, and a restore never overwrites one');
  });

  it('deletes the claims and pods of a rehearsal, whether it passes or fails (SNAP-V12)', async () => {
    const before = await claimNames();
    const check = ['--scratch', '--image', 'none', '--command'];
    const good = await restore('good', ...check, 'test -e "$LIFEHOOK_PATH/frozen"', '--as', 'fine');
    expect(good.code).toBe(0);
    const bad = await restore('good', ...check, 'echo "no orders" >&2; exit 1', '--as', 'bad');
    expect(bad.code).toBe(3);
    expect(bad.stderr).toContain('no orders');
    expect(await claimNames()).toEqual(before);
    const { items } = await cluster.client.list(pods, { namespace: NAMESPACE });
    expect(items.filter(({ metadata }) => /^(fine|bad)-/.test(metadata?.name ?? ''))).toEqual([]);
    const failed = await until('bad', 'is over', isOver);
    expect(failed.status?.verification?.result).toBe('Failed');
  });

  it('stops a workload before the claims, and starts it again at the end (SNAP-V8, SNAP-V9)', async () => {
    await begin('stopping', {
      preRestore: [
        { name: 'ask', exec: { podSelector: { matchLabels: { app: 'db' } }, command: ['true'] } },
        { name: 'stop', scale: { kind: 'Deployment', name: 'db' } },
      ],
      postRestore: [{ name: 'mark', pod: shell('echo mark >"$LIFEHOOK_PATH/mark"') }],
      verify: [{ name: 'look', pod: shell('grep mark "$LIFEHOOK_PATH/mark"') }],
    });
    const { status } = await until('stopping', 'is over', isOver);
    expect(status?.phase).toBe('Completed');
    expect(status?.hooks?.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'ask Succeeded',
      'stop Succeeded',
      'mark Succeeded',
      'look Succeeded',
    ]);
    expect(status?.scaled?.[0]).toMatchObject({ name: 'db', replicas: 1 });
    await eventually('the application runs again', isRunning, PATIENCE_S);
  });

  it('keeps its claims when it is deleted in the middle, and stops its pods (SNAP-V13)', async () => {
    const postRestore = [{ name: 'long', pod: shell('sleep 600') }];
    await begin('deleted', { postRestore });
    await until(
      'deleted',
      'runs its hook',
      ({ status }) => status?.hooks?.[0]?.podUID !== undefined,
    );
    await cluster.client.delete(snapshotRestores, { namespace: NAMESPACE, name: 'deleted' });
    await eventually(
      'the restore is deleted',
      async () => {
        const { items } = await cluster.client.list(snapshotRestores, { namespace: NAMESPACE });
        return !items.some(({ metadata }) => metadata?.name === 'deleted');
      },
      PATIENCE_S,
    );
    expect(await claimNames()).toContain('data-deleted');
    await eventually(
      'its pod is deleted',
      async () => {
        const { items } = await cluster.client.list(pods, { namespace: NAMESPACE });
        return !items.some(({ metadata }) => metadata?.name?.startsWith('deleted-') === true);
      },
      PATIENCE_S,
    );
  });
});
