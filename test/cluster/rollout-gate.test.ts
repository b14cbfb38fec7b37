/** The gate on a real cluster, with the same cases as on the local cluster. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { kubectlPath, run } from '../e2e/cluster-stand.ts';
import { gateCases } from '../fixtures/rollout-gate/gate-cases.ts';
import { type GateStand, openGateStand } from '../fixtures/rollout-gate/gate-stand.ts';
import { type ClusterConnection, connectToCluster, kubeconfigPath } from './real-cluster.ts';

let cluster: ClusterConnection;
let stand: GateStand;

beforeAll(async () => {
  cluster = connectToCluster();
  const kubeconfig = kubeconfigPath();
  stand = await openGateStand({
    client: cluster.client,
    namespace: `gate-${randomBytes(4).toString('hex')}`,
    kubectl: (args, stdin) => run(kubectlPath(), ['--kubeconfig', kubeconfig, ...args], stdin),
  });
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  cluster.connection.transport.close();
});

describe('the gate on a real cluster', () => {
  for (const one of gateCases) {
    it(`${one.id}: ${one.title}`, async () => {
      await expect(stand.run(one)).resolves.toBeUndefined();
    });
  }
});
