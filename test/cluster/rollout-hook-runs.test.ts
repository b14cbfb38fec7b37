/** Hooks of a rollout on the real kubelet, and the status that an old node reports of a pod with a finalizer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hookRunCases } from '../fixtures/rollout/hook-run-cases.ts';
import { StageStand } from '../fixtures/rollout/stage-stand.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';
import { BASE_IMAGE } from './parameters.ts';

let cluster: ClusterConnection;
let stand: StageStand;
let remove: () => Promise<void>;

beforeAll(async () => {
  cluster = connectToCluster();
  const { client, connection } = cluster;
  const made = await makeNamespace(client, 'hook-runs');
  ({ remove } = made);
  stand = await StageStand.open({
    client,
    connection,
    namespace: made.namespace,
    image: BASE_IMAGE,
  });
});

afterAll(async () => {
  await stand.close();
  await remove();
  cluster.connection.transport.close();
});

describe('a HookRun on the real cluster', () => {
  it.each(hookRunCases)('$title', async ({ run }) => {
    await expect(run(stand)).resolves.toBeUndefined();
  });
});
