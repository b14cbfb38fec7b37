/**
 * The images of examples/rollouts in the real cluster, under the names of its manifests. The versions of the
 * server differ in one small layer over one of Debian's packages, as those of a registry do.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { EXAMPLE, VERSIONS } from '../fixtures/rollout-migration/migration-cluster.ts';
import { IMAGE as DATABASES } from '../fixtures/snapshot-databases/database-cluster.ts';
import { imageTree, loadImage } from './database-image.ts';
import { kubeconfigPath } from './real-cluster.ts';

const NODE = { name: 'docker.io/local/node-psql:12', packages: ['nodejs', 'postgresql-client-15'] };
const DATABASE = 'docker.io/library/debian-postgresql:15';
const FOLDER = '/srv/web';

export async function loadMigrationImages(): Promise<void> {
  loadImage();
  ctr('images', 'tag', '--force', DATABASES, DATABASE);
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-migration-'));
  try {
    const base = await layer(folder, 'base', imageTree(NODE));
    const manifest = [];
    for (const version of VERSIONS) manifest.push(await imageOf(folder, version, base));
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const images = join(folder, 'images.tar');
    tar(folder, images, '--exclude=./root-*', '--exclude=./images.tar', '.');
    ctr('images', 'import', images);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Layer {
  readonly file: string;
  readonly digest: string;
}

/** An entry of what `docker save` writes. */
interface Entry {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

async function imageOf(folder: string, version: number, base: Layer): Promise<Entry> {
  const root = join(folder, `root-${version}`);
  await mkdir(join(root, dirname(FOLDER)), { recursive: true });
  await cp(join(EXAMPLE, 'web'), join(root, FOLDER), { recursive: true });
  await writeFile(join(root, FOLDER, 'version'), `${version}\n`);
  const own = await layer(folder, `v${version}`, root);
  const config = {
    architecture: 'amd64',
    os: 'linux',
    config: { WorkingDir: FOLDER, Env: ['PATH=/usr/local/bin:/usr/bin:/bin'] },
    rootfs: { type: 'layers', diff_ids: [base.digest, own.digest] },
  };
  const file = `config-${version}.json`;
  await writeFile(join(folder, file), JSON.stringify(config));
  const name = `docker.io/library/web:v${version}`;
  return { Config: file, RepoTags: [name], Layers: [base.file, own.file] };
}

async function layer(folder: string, name: string, root: string): Promise<Layer> {
  const file = `${name}.tar`;
  tar(root, join(folder, file), '.');
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, file)), hash);
  return { file, digest: `sha256:${hash.digest('hex')}` };
}

function tar(folder: string, file: string, ...what: readonly string[]): void {
  execFileSync('tar', ['-C', folder, '--numeric-owner', '-cf', file, ...what]);
}

function ctr(...args: readonly string[]): void {
  const socket = join(dirname(kubeconfigPath()), 'containerd.sock');
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  execFileSync('ctr', ['-a', socket, '-n', 'k8s.io', ...args], { stdio: [...stdio] });
}
