/** Images of Debian packages, such as that of the database suites: a tree, made once on a machine with the cluster's tool. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { IMAGE, PACKAGES } from '../fixtures/snapshot-databases/database-cluster.ts';
import { kubeconfigPath } from './real-cluster.ts';

const TOOLS = resolve(import.meta.dirname, '../../../shared/cluster');
/** The packages come from the network. */
const TIMEOUT_MS = 600_000;

export interface DebianImage {
  readonly name: string;
  readonly packages: readonly string[];
}

const databases: DebianImage = { name: IMAGE, packages: PACKAGES };

/** Into the real cluster, where it is not there yet. */
export function loadImage({ name, packages }: DebianImage = databases): void {
  const socket = join(dirname(kubeconfigPath()), 'containerd.sock');
  const images = execFileSync('ctr', ['-a', socket, '-n', 'k8s.io', 'images', 'list', '-q'], {
    encoding: 'utf8',
  });
  if (images.split('\n').includes(name)) return;
  execFileSync(join(TOOLS, 'image-debian'), [name, ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: TIMEOUT_MS,
  });
}

/** The root folder that it is made of. */
export function imageTree(image: DebianImage = databases): string {
  const { CLUSTER_HOME, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
  const home = CLUSTER_HOME ?? join(XDG_CACHE_HOME, 'test-cluster');
  const tree = join(home, 'rootfs', image.name.replaceAll(/[/:]/g, '_'));
  if (!existsSync(tree)) loadImage(image);
  return tree;
}
