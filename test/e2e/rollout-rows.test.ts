/** The rollout rows with the local cluster's controllers. The test acts as the node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { namespaces } from '../../src/kube/resources.ts';
import { ControllerStand } from '../fixtures/rollout/controller-stand.ts';
import { RowBench } from '../fixtures/rollout/row-bench.ts';
import { rolloutRows } from '../fixtures/rollout/rows.ts';

const PATIENCE_MS = 60_000;

let stand: ControllerStand;

beforeAll(async () => {
  stand = await ControllerStand.open();
});

afterAll(async () => {
  await stand.close();
});

describe.concurrent('a rollout on the local cluster', () => {
  for (const row of rolloutRows) {
    it(`${row.id}: ${row.title}`, async () => {
      const namespace = `rows-${row.id.toLowerCase()}`;
      const { client } = stand;
      await client.create(namespaces, { metadata: { name: namespace } });
      await expect(
        row.run(new RowBench({ client, namespace, patienceMs: PATIENCE_MS })),
      ).resolves.toBeUndefined();
    });
  }
});
