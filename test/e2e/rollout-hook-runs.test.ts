/** Hooks of a rollout as real processes of the local cluster, with one HookRun each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StageStand } from '../fixtures/rollout/stage-stand.ts';
import { hookRunCases } from '../fixtures/rollout/hook-run-cases.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

let cluster: ClusterStand;
let stand: StageStand;

beforeAll(async () => {
  cluster = await openCluster();
  const { client, connection } = cluster;
  stand = await StageStand.open({ client, connection, namespace: 'default', image: 'none' });
});

afterAll(async () => {
  await stand.close();
  await cluster[Symbol.asyncDispose]();
});

describe('a HookRun on the local cluster', () => {
  it.each(hookRunCases)('$title', async ({ run }) => {
    await expect(run(stand)).resolves.toBeUndefined();
  });
});
