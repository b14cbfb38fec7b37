/**
 * Tests databases under write load on the local cluster, each replaced by its snapshot under the same claim name.
 * Each is stopped, restored, recovered, checked and started again, and its rows are counted. Another tool makes the
 * snapshot of Redis, through a guard.
 */
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deployments, persistentVolumeClaims } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { applicationSnapshots } from '../../src/lifecycles/snapshot/kinds.ts';
import { VERDICT } from '../../src/lifecycles/snapshot/names.ts';
import {
  type RestoreHook,
  type SnapshotRestore,
  type SnapshotRestoreSpec,
  snapshotRestores,
} from '../../src/lifecycles/snapshot/restore/kinds.ts';
import { type ClusterStand, openWholeCluster, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';
import { freePort, owner } from '../fixtures/snapshot/server-process.ts';
import {
  appManifest,
  PROGRAMS,
  type RestoredApp,
  restoredApps,
} from '../fixtures/snapshot-databases/restored-apps.ts';

const PATIENCE_S = 180;
/** Longer than all waits of a test together. */
const TIMEOUT_MS = 1_200_000;
const NAMESPACE = 'default';
const PATH = [{ name: 'PATH', value: PROGRAMS }];
/** Minimum number of rows before the snapshot, and of further rows after it. */
const ROWS = 30;

let cluster: ClusterStand;
let apps: readonly RestoredApp[];

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  apps = restoredApps(cluster.folder, await freePort());
  // The database servers run as another user, so that user must be able to enter these directories.
  for (const each of ['.', 'volumes', 'process', 'process/containers']) {
    await mkdir(join(cluster.folder, each), { recursive: true });
    await chmod(join(cluster.folder, each), 0o711);
  }
  for (const app of apps) await start(app);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function start(app: RestoredApp): Promise<void> {
  const work = join(cluster.folder, app.name);
  await mkdir(work);
  await chown(work, owner.uid, owner.gid);
  await applyManifest(cluster.client, appManifest(app, cluster.folder));
}

const key = (name: string): { namespace: string; name: string } => ({ namespace: NAMESPACE, name });

async function isReady(name: string): Promise<boolean> {
  const { status } = await cluster.client.get(deployments, key(name));
  return status?.readyReplicas === 1;
}

/** The numbers in a file of the client; 0 if there is none. The file is empty for a moment whenever it is written. */
async function said(name: string, file: string): Promise<number[]> {
  const text = await eventually(`${file} of ${name} is whole`, async () => {
    const found = await readFile(join(cluster.folder, name, file), 'utf8').catch(() => '0\n');
    return found.endsWith('\n') && found;
  });
  return text.trim().split(/\s+/).map(Number);
}

async function acked(name: string): Promise<number> {
  return (await said(name, 'acked'))[0] ?? 0;
}

async function written(name: string, rows: number): Promise<number> {
  await eventually(`${name} has ${rows} rows`, async () => (await acked(name)) >= rows, PATIENCE_S);
  return acked(name);
}

async function ourSnapshot({
  name,
  recipe,
  requiredVerdict,
}: RestoredApp): Promise<SnapshotRestoreSpec['source']> {
  const parameters = Object.entries(recipe.parameters).map(([field, value]) => `${field}=${value}`);
  const named = [recipe.name, ...parameters].join(',');
  const args = ['--claim', name, '--recipe', named, '--require', requiredVerdict];
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const command = [program, 'snapshot', 'create', name, ...args];
  const made = await run(process.execPath, [...command, '--kubeconfig', cluster.kubeconfig]);
  expect(made).toMatchObject({ code: 0 });
  return { applicationSnapshotName: name };
}

async function guardedSnapshot({
  name,
  recipe,
}: RestoredApp): Promise<SnapshotRestoreSpec['source']> {
  await cluster.kubectl('label', 'namespace', NAMESPACE, 'lifehook.dev/snapshot-guard=enabled');
  const spec = {
    claimSelector: { matchLabels: { app: name } },
    executionHookInfos: [{ recipe, podSelector: { matchLabels: { app: name } } }],
  };
  const guard = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'SnapshotGuard', metadata: { name } };
  expect(await cluster.apply(JSON.stringify({ ...guard, spec }))).toMatchObject({ code: 0 });
  const snapshot = { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' };
  const source = { persistentVolumeClaimName: name };
  const made = { ...snapshot, metadata: { name }, spec: { source } };
  expect(await cluster.apply(JSON.stringify(made))).toMatchObject({ code: 0 });
  await eventually('its verdict is recorded', async () => {
    const { metadata } = await cluster.client.get(snapshots, key(name));
    return metadata?.labels?.[VERDICT];
  });
  return { volumeSnapshotNames: [name] };
}

/** Output of the thaw of our own snapshot; '' if there is no such snapshot or output. */
async function thawOutput({
  applicationSnapshotName: name,
}: SnapshotRestoreSpec['source']): Promise<string> {
  if (name === undefined) return '';
  const { status } = await cluster.client.get(applicationSnapshots, key(name));
  return status?.hooks?.[0]?.targets[0]?.thawOutput ?? '';
}

async function restored(
  { name, recipe, check, recover, requiredVerdict }: RestoredApp,
  source: SnapshotRestoreSpec['source'],
): Promise<SnapshotRestore> {
  await cluster.kubectl('delete', 'pvc', name, '--wait=false');
  const verify = { name: recipe.name, parameters: { ...check, directory: 'db' } };
  const env = [{ name: 'LABEL', value: await thawOutput(source) }];
  const command = ['sh', '-ec', recover];
  const hooks: Record<string, RestoreHook[]> = {
    preRestore: [{ name: 'stop', scale: { kind: 'Deployment', name } }],
    postRestore: [{ name: 'recover', pod: { image: 'none', command, env } }],
    verify: [{ name: 'check', pod: { image: 'none', recipe: verify, env: PATH } }],
  };
  const claims = [{ sourceClaimName: name, claimName: name }];
  const restore = { metadata: key(name), spec: { source, claims, requiredVerdict, ...hooks } };
  await cluster.client.create(snapshotRestores, restore);
  return eventually(
    `${name} is restored`,
    async () => {
      const found = await cluster.client.get(snapshotRestores, key(name));
      return found.status?.completedAt === undefined ? null : found;
    },
    PATIENCE_S,
  );
}

describe.each([0, 1, 2])(
  'database %i, replaced by its snapshot',
  { concurrent: true, timeout: TIMEOUT_MS },
  (index) => {
    it('has every row of before the freeze, none of after it, and runs again (SNAP-V4, SNAP-V9, SNAP-V11)', async () => {
      const app = apps[index] ?? apps[0];
      if (app === undefined) throw new Error('there is no such database');
      const { name } = app;
      await eventually(`${name} is ready`, () => isReady(name), PATIENCE_S);
      const before = await written(name, ROWS);
      const source = await (name === 'redis' ? guardedSnapshot(app) : ourSnapshot(app));
      const atCut = await acked(name);
      const after = await written(name, atCut + ROWS);
      const { status } = await restored(app, source);
      expect(status?.failure).toBeUndefined();
      expect(status).toMatchObject({ phase: 'Completed', verification: { result: 'Passed' } });
      await eventually(`${name} is ready again`, () => isReady(name), PATIENCE_S);
      const [rows = 0, highest] = await said(name, 'found');
      expect(rows).toBe(highest);
      expect(rows).toBeGreaterThanOrEqual(before);
      expect(rows).toBeLessThan(after);
      const { metadata } = await cluster.client.get(persistentVolumeClaims, key(name));
      expect(metadata?.labels?.['app']).toBe(name);
      await written(name, rows + 1);
    });
  },
);
