/**
 * Loads the images of examples/rollouts into the cluster, under the names in its manifests. As in a registry, the
 * versions of the server share a base layer and differ in one small layer.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { EXAMPLE, VERSIONS } from '../fixtures/rollout-migration/migration-cluster.ts';
import { databases, imageTree, loadImage, openArchive } from './images.ts';

const NODE = { name: 'docker.io/local/node-psql:12', packages: ['nodejs', 'postgresql-client-15'] };
const DATABASE = 'docker.io/library/debian-postgresql:15';
const FOLDER = '/srv/web';

export async function loadMigrationImages(): Promise<void> {
  await loadImage(databases, DATABASE);
  await using archive = await openArchive();
  const base = await archive.layer('base', imageTree(NODE));
  for (const version of VERSIONS) {
    const root = join(archive.folder, `root-${version}`);
    await mkdir(join(root, dirname(FOLDER)), { recursive: true });
    await cp(join(EXAMPLE, 'web'), join(root, FOLDER), { recursive: true });
    await writeFile(join(root, FOLDER, 'version'), `${version}\n`);
    const own = await archive.layer(`v${version}`, root);
    const name = `docker.io/library/web:v${version}`;
    await archive.add([name], [base, own], { WorkingDir: FOLDER });
  }
  await archive.load();
}
