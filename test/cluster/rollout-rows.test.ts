/**
 * Facts about rollouts (fixtures/rollout/rows.ts), checked on the real controllers. The controllers of the local
 * cluster must behave in the same way.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { RowBench } from '../fixtures/rollout/row-bench.ts';
import { rolloutRows } from '../fixtures/rollout/rows.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';

/** The node takes 10 to 16 s to remove a pod. */
const PATIENCE_MS = 180_000;

let cluster: ClusterConnection;

beforeAll(() => {
  cluster = connectToCluster();
});

afterAll(() => {
  cluster.connection.transport.close();
});

describe.concurrent('a rollout on the real cluster', () => {
  for (const row of rolloutRows) {
    it(`${row.id}: ${row.title}`, { timeout: 600_000 }, async () => {
      const { client } = cluster;
      const { namespace, remove } = await makeNamespace(client, `c2-${row.id.toLowerCase()}`);
      const bench = new RowBench({ client, namespace, patienceMs: PATIENCE_MS });
      try {
        await expect(row.run(bench)).resolves.toBeUndefined();
      } finally {
        await remove();
      }
    });
  }
});
