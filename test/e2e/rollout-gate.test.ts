/** The gate on the local cluster, served over TLS. kubectl and plain clients write; no controller acts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { gateCases } from '../fixtures/rollout-gate/gate-cases.ts';
import { type GateStand, openGateStand } from '../fixtures/rollout-gate/gate-stand.ts';
import { type ClusterStand, kubectlPath, openCluster, run } from './cluster-stand.ts';

let cluster: ClusterStand;
let stand: GateStand;

beforeAll(async () => {
  cluster = await openCluster();
  const { client, kubeconfig } = cluster;
  stand = await openGateStand({
    client,
    namespace: 'gate',
    kubectl: (args, stdin) => run(kubectlPath(), ['--kubeconfig', kubeconfig, ...args], stdin),
  });
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

describe('the gate on the local cluster', () => {
  for (const one of gateCases) {
    it(`${one.id}: ${one.title}`, { tags: [...(one.tags ?? [])] }, async () => {
      await expect(stand.run(one)).resolves.toBeUndefined();
    });
  }
});
