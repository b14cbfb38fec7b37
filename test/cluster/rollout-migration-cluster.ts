/** The real cluster for one migration story, with the images of examples/rollouts and the controllers of this build. */
import { resolve } from 'node:path';
import process from 'node:process';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { kubectlPath, run } from '../e2e/cluster-stand.ts';
import { startController } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { removeWebhooks } from '../fixtures/rollout-cases/remove-webhooks.ts';
import type { MigrationCluster } from '../fixtures/rollout-migration/migration-cluster.ts';
import { HOST } from './parameters.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { openCaseStand, PATIENCE_MS } from './rollout-case-stand.ts';
import { loadMigrationImages } from './rollout-migration-images.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const DELETE_SECONDS = 120;

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
