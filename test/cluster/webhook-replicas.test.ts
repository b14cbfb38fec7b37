/** Replicas of the controllers start together on a real cluster, fifty times without any stored certificate. */
import { expect, it } from 'vitest';

import { installKinds } from '../e2e/controller-program.ts';
import { freshStarts } from '../fixtures/webhook-replicas.ts';
import { connectToCluster, kubeconfigPath, makeNamespace } from './real-cluster.ts';

const ROUNDS = 50;
const TIMEOUT_MS = 1_800_000;

it(
  'two replicas that start together without certificates show some that the API server trusts',
  async () => {
    const { client, connection } = connectToCluster();
    const { namespace, remove } = await makeNamespace(client, 'replicas');
    try {
      await installKinds({ client });
      const kubeconfig = kubeconfigPath();
      const results = await freshStarts({ client, kubeconfig, namespace, rounds: ROUNDS });
      expect(results).toEqual(Array.from({ length: ROUNDS }, () => [true, true]));
    } finally {
      await remove();
      connection.transport.close();
    }
  },
  TIMEOUT_MS,
);
