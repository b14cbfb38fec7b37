/** Builds and loads images for the nodes of the cluster, from root directories or Debian packages. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

import { kubectlPath } from '../e2e/cluster-stand.ts';
import { IMAGE, PACKAGES } from '../fixtures/snapshot-databases/database-cluster.ts';
import { LOAD_IMAGE } from './parameters.ts';
import { kubeconfigPath, recipeProgram } from './real-cluster.ts';

/** Long, since the packages are downloaded. */
const TIMEOUT_MS = 600_000;

const Env = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];

export interface DebianImage {
  readonly name: string;
  readonly packages: readonly string[];
}

export interface ImageConfig {
  readonly WorkingDir?: string;
}

export interface Layer {
  readonly file: string;
  readonly digest: string;
}

export const databases: DebianImage = { name: IMAGE, packages: PACKAGES };

/** Loads the image under its own name and under `more`, unless every node already has all these names. */
export async function loadImage(image: DebianImage, ...more: readonly string[]): Promise<void> {
  const names = [image.name, ...more];
  if (areOnNodes(names)) return;
  await using archive = await openArchive();
  const layer = await archive.layer('layer', imageTree(image));
  await archive.add(names, [layer]);
  await archive.load();
}

/** Root directory of the image. It is kept in a cache directory for the next run. */
export function imageTree({ name, packages }: DebianImage): string {
  const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
  const tree = join(XDG_CACHE_HOME, 'lifehook-test', name.replaceAll(/[/:]/g, '_'));
  if (existsSync(tree)) return tree;
  const part = `${tree}.part`;
  run('rm', '-rf', part);
  run('mkdir', '-p', dirname(tree));
  const options = ['--quiet', '--variant=apt', `--include=${packages.join(',')}`];
  run('mmdebstrap', ...options, 'bookworm', part);
  run('rm', '-rf', join(part, 'var/cache/apt/archives'), join(part, 'var/lib/apt/lists'));
  run('mv', part, tree);
  return tree;
}

export interface ImageArchive extends AsyncDisposable {
  /** Path of a directory for the files that become layers. */
  readonly folder: string;
  layer(name: string, root: string): Promise<Layer>;
  add(names: readonly string[], layers: readonly Layer[], config?: ImageConfig): Promise<void>;
  /** Loads all images of the archive into the nodes. */
  load(): Promise<void>;
}

/** An archive of several images that can share layers. */
export async function openArchive(): Promise<ImageArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-images-'));
  const manifest: object[] = [];
  const files = ['manifest.json'];
  return {
    folder,
    layer: async (name, root) => {
      const file = `${name}.tar`;
      run('tar', '-C', root, '--numeric-owner', '-cf', join(folder, file), '.');
      files.push(file);
      return { file, digest: `sha256:${await sha256Of(join(folder, file))}` };
    },
    add: async (names, layers, config = {}) => {
      const file = `config-${manifest.length}.json`;
      files.push(file);
      const rootfs = { type: 'layers', diff_ids: layers.map(({ digest }) => digest) };
      const whole = { architecture: 'amd64', os: 'linux', config: { Env, ...config }, rootfs };
      await writeFile(join(folder, file), JSON.stringify(whole));
      manifest.push({ Config: file, RepoTags: names, Layers: layers.map((each) => each.file) });
    },
    load: async () => {
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
      const images = join(folder, 'images.archive');
      run('tar', '-C', folder, '-cf', images, ...files);
      loadArchive(images);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

export function loadArchive(file: string): void {
  if (LOAD_IMAGE !== undefined) {
    run('sh', '-c', `${LOAD_IMAGE} "$0"`, file);
    return;
  }
  const socket = join(dirname(kubeconfigPath()), 'containerd.sock');
  run(recipeProgram('ctr'), '-a', socket, '-n', 'k8s.io', 'images', 'import', file);
}

function areOnNodes(names: readonly string[]): boolean {
  const paths = ['--kubeconfig', kubeconfigPath(), 'get', 'nodes', '-o', 'json'];
  const { items } = JSON.parse(execFileSync(kubectlPath(), paths, { encoding: 'utf8' })) as Nodes;
  return items.every(({ status: { images = [] } }) => {
    const here = new Set(images.flatMap((image) => image.names ?? []));
    return names.every((name) => here.has(name));
  });
}

interface Nodes {
  readonly items: readonly {
    readonly status: { readonly images?: readonly { readonly names?: readonly string[] }[] };
  }[];
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function run(file: string, ...args: readonly string[]): void {
  execFileSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: TIMEOUT_MS });
}
