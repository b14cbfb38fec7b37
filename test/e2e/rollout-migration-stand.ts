/** examples/rollouts on the local cluster: images from directories, and servers as plain processes. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import {
  EXAMPLE,
  type MigrationCluster,
  VERSIONS,
} from '../fixtures/rollout-migration/migration-cluster.ts';
import { type ClusterStand, openWholeCluster, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const PATIENCE_MS = 60_000;

/** Starts a cluster like that of `lifehook up`, with our controllers. */
export async function openMigrationStand(): Promise<MigrationCluster> {
  const cluster = await openWholeCluster();
  await importImages(cluster);
  const { client, connection, kubeconfig } = cluster;
  return {
    client,
    connection,
    namespace: 'default',
    kubectl: (...args) => cluster.kubectl(...args),
    apply: (manifest) => cluster.apply(manifest),
    lifehook: (...args) => run(process.execPath, [PROGRAM, ...args, '--kubeconfig', kubeconfig]),
    adapt: process.getuid?.() === 0 ? asPostgres : (manifest) => manifest,
    patienceMs: PATIENCE_MS,
    [Symbol.asyncDispose]: async () => cluster[Symbol.asyncDispose](),
  };
}

async function importImages(cluster: ClusterStand): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-migration-'));
  try {
    for (const version of VERSIONS) {
      const image = join(folder, `v${version}`);
      await cp(join(EXAMPLE, 'web'), image, { recursive: true });
      await writeFile(join(image, 'version'), `${version}\n`);
      const { code, stderr } = await cluster.lifehook('image', 'import', image, `web:v${version}`);
      if (code !== 0) throw new Error(stderr);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the pod as the user postgres: PostgreSQL refuses root, and a plain process has no directories of other users.
 */
function asPostgres(manifest: string): string {
  const [user, group] = ['-u', '-g'].map((which) =>
    execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }).trim(),
  );
  const context = `securityContext: { runAsUser: ${user}, runAsGroup: ${group} }`;
  return manifest.replace(/^ {4}spec:$/mu, `    spec:\n      ${context}`);
}
