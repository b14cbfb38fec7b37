/** `kill -9` of `lifehook controller` at every step of a rollout, on the local cluster. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import { nodeAuthPlugin } from '../../src/platform/node-auth-plugin.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { ControllerKills } from '../fixtures/rollout-cases/controller-kills.ts';
import { killCases, withoutWebhook } from '../fixtures/rollout-cases/kill-cases.ts';
import { runCase } from '../fixtures/rollout-cases/run-case.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { installKinds } from './controller-program.ts';

const PATIENCE_MS = 60_000;

let cluster: ClusterStand;
let kills: ControllerKills;

beforeAll(async () => {
  cluster = await openCluster();
  await installKinds(cluster);
  const { files, clock } = nodePlatform;
  const { kubeconfig } = cluster;
  const how = { files, clock, env: {}, authPlugin: nodeAuthPlugin, kubeconfig };
  kills = await ControllerKills.open(cluster.client, (await loadKubeAccess(how)).transport);
});

afterAll(async () => {
  await kills[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

it('ROLL-C33: without the webhook a changed template is refused, and a scaling is not', async () => {
  const run = (bench: Parameters<typeof withoutWebhook>[0]): Promise<void> =>
    withoutWebhook(bench, kills);
  const one = { id: 'ROLL-C33', run };
  await expect(runCase({ ...cluster, patienceMs: PATIENCE_MS }, one)).resolves.toBeUndefined();
});

describe.concurrent('a rollout whose controller is killed', () => {
  for (const one of killCases(() => kills)) {
    it(`${one.id}: ${one.title}`, async () => {
      await expect(runCase({ ...cluster, patienceMs: PATIENCE_MS }, one)).resolves.toBeUndefined();
    });
  }
});
