/** The real cluster for one migration story, with the images of examples/rollouts and the controllers of this build. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { kubectlPath, run } from '../e2e/cluster-stand.ts';
import { startController } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { removeWebhooks } from '../fixtures/rollout-cases/remove-webhooks.ts';
import {
  EXAMPLE,
  type MigrationCluster,
  VERSIONS,
} from '../fixtures/rollout-migration/migration-cluster.ts';
import { databases, imageTree, loadImage, openArchive } from './images.ts';
import { HOST } from './parameters.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { openCaseStand, PATIENCE_MS } from './rollout-case-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const DELETE_SECONDS = 120;

const NODE = { name: 'docker.io/local/node-psql:12', packages: ['nodejs', 'postgresql-client-15'] };
const DATABASE = 'docker.io/library/debian-postgresql:15';
const FOLDER = '/srv/web';

export async function openRealMigration(): Promise<MigrationCluster> {
  await loadMigrationImages();
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const stand = await openCaseStand();
    const { client, connection } = stand;
    undo.push(() => stand.close());
    const kubeconfig = kubeconfigPath();
    const { namespace, remove } = await makeNamespace(client, 'rollout-migration');
    const options = ['--webhook-address', `${HOST}:0`, '--no-leader-elect', '-n', namespace];
    const controller = await startController({ kubeconfig }, options);
    undo.push(() => removeWebhooks(client));
    undo.push(async () => controller[Symbol.asyncDispose]());
    // Deleting the namespace needs the controller, which releases its finalizers. So the controller stops after this
    // step.
    undo.push(async () => {
      await remove();
      const look = async (): Promise<boolean> =>
        (await getOrNull(client, namespaces, { name: namespace })) === null;
      await eventually('the namespace is gone', look, DELETE_SECONDS);
    });
    const here = ['--kubeconfig', kubeconfig, '--namespace', namespace];
    return {
      client,
      connection,
      namespace,
      kubectl: (...args) => run(kubectlPath(), [...here, ...args]),
      apply: (manifest) => run(kubectlPath(), [...here, 'apply', '-f', '-'], manifest),
      lifehook: (...args) => run(process.execPath, [PROGRAM, ...args, ...here]),
      adapt: (manifest) => manifest,
      patienceMs: PATIENCE_MS,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Loads the images of examples/rollouts into the cluster, under the names in its manifests. As in a registry, the
 * versions of the server share a base layer and differ in one small layer.
 */
async function loadMigrationImages(): Promise<void> {
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
