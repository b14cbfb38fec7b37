/**
 * examples/snapshots as a reader runs them, on the local cluster with its own snapshots and controllers. Its file
 * system cuts a volume atomically.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { importOfficialImages } from '../fixtures/snapshot-databases/official-images.ts';
import { openLoopVolumes } from '../fixtures/snapshot-databases/loop-volumes.ts';
import { type ClusterStand, openWholeCluster } from '../e2e/cluster-stand.ts';
import { stepsOn } from '../e2e/kubectl-steps.ts';
import { databases, imageTree } from './images.ts';

const FOLDER = 'examples/snapshots';

let cluster: ClusterStand;
/** Steps of the cleanup, which run in reverse order. */
const undo: (() => unknown)[] = [];
const { ok, apply } = stepsOn(() => cluster);

beforeAll(async () => {
  const volumes = openLoopVolumes();
  undo.push(() => volumes[Symbol.asyncDispose]());
  const folder = await volumes.make('cluster');
  cluster = await onVolume(folder, () => openWholeCluster('--runner', 'runc'));
  undo.push(async () => {
    expect(await cluster.lifehook('down', '--delete')).toMatchObject({ code: 0, stderr: '' });
    await cluster[Symbol.asyncDispose]();
  });
  undo.push(await importOfficialImages(cluster.folder, imageTree(databases)));
});

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

/** Runs `open` so that its temporary directory is in `path`. */
async function onVolume<T>(path: string, open: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = path;
  try {
    return await open();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

async function start(name: string): Promise<void> {
  await ok('apply', '-f', join(FOLDER, `${name}.yaml`));
  await ok('rollout', 'status', `deployment/${name}`, '--timeout=100s');
}

/** Runs `kubectl create -f NAME-snapshot.yaml`, as the example says. Resolves when the snapshot has ended. */
async function takeSnapshot(name: string): Promise<ApplicationSnapshot> {
  const made = await ok('create', '-f', join(FOLDER, `${name}-snapshot.yaml`), '-o', 'name');
  await ok('wait', '--for=jsonpath={.status.completedAt}', made, '--timeout=100s');
  const [, object = ''] = made.split('/');
  return cluster.client.get(applicationSnapshots, { namespace: 'default', name: object });
}

function inside(deployment: string, ...command: readonly string[]): Promise<string> {
  return ok('exec', `deployment/${deployment}`, '--', ...command);
}

const sql = (deployment: string, statement: string): Promise<string> =>
  inside(
    deployment,
    'sh',
    '-c',
    'MYSQL_PWD=$MARIADB_ROOT_PASSWORD exec mariadb -uroot -N -e "$0"',
    statement,
  );

it('MariaDB: has a consistent snapshot under its lock, and is restored from it', async () => {
  await start('mariadb');
  await sql(
    'mariadb',
    'CREATE DATABASE shop; CREATE TABLE shop.t (n INT); INSERT INTO shop.t VALUES (1), (2)',
  );
  const { status } = await takeSnapshot('mariadb');
  expect(status?.verdict).toMatchObject({ value: 'ApplicationConsistent', reason: 'FrozenAtCut' });
  await sql('mariadb', 'INSERT INTO shop.t VALUES (3)');
  expect(await ok('get', 'applicationsnapshots')).toContain('ApplicationConsistent');

  const claim = readFileSync(join(FOLDER, 'mariadb-restore.yaml'), 'utf8');
  const snapshotName = status?.volumes?.[0]?.volumeSnapshotName ?? '';
  await apply(claim.replace('NAME-OF-THE-VOLUMESNAPSHOT', snapshotName));
  await ok('scale', 'deployment/mariadb', '--replicas=0');
  await ok('wait', '--for=delete', 'pod', '-l', 'app=mariadb', '--timeout=100s');
  const server = readFileSync(join(FOLDER, 'mariadb.yaml'), 'utf8').split('---\n').at(-1) ?? '';
  await apply(server.replace('claimName: mariadb-data', 'claimName: mariadb-restored'));
  await ok('scale', 'deployment/mariadb', '--replicas=1');
  await ok('rollout', 'status', 'deployment/mariadb', '--timeout=100s');
  expect(await sql('mariadb', 'SELECT n FROM shop.t')).toBe('1\n2');
});

it('PostgreSQL: has a consistent snapshot of two volumes, with the label that a restore needs', async () => {
  await start('postgresql');
  const { status } = await takeSnapshot('postgresql');
  expect(status?.verdict).toMatchObject({ value: 'ApplicationConsistent', reason: 'FrozenAtCut' });
  const reported = status?.hooks?.[0]?.targets[0]?.thawOutput ?? '';
  expect(reported).toMatch(
    /^lifehook: backup_label\nSTART WAL LOCATION: [^]*LABEL: lifehook\n[^]*\nlifehook: tablespace_map\n\d+ \/space\/postgresql/mu,
  );
  expect(await inside('postgresql', 'sh', '-c', 'ls /archive')).toMatch(/^[0-9A-F]{24}$/mu);
});

it('Redis: has a consistent snapshot while its writes are paused, and accepts writes after it', async () => {
  await start('redis');
  expect(await inside('redis', 'redis-cli', 'SET', 'a', '1')).toBe('OK');
  const { status } = await takeSnapshot('redis');
  expect(status?.verdict).toMatchObject({ value: 'ApplicationConsistent', reason: 'FrozenAtCut' });
  expect(await inside('redis', 'redis-cli', 'SET', 'a', '2')).toBe('OK');
});
