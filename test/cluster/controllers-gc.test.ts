import { afterAll, describe, expect, it } from 'vitest';

import { gcCases } from '../fixtures/api-cases/gc.ts';
import { connectToCluster, makeNamespace } from './real-cluster.ts';

const { client, connection } = connectToCluster();

afterAll(() => {
  connection.transport.close();
});

describe("a real cluster's garbage collector", () => {
  for (const { title, run, expected } of gcCases) {
    it(title, async () => {
      const { namespace, remove } = await makeNamespace(client, 'c3-gc');
      try {
        expect(await run({ client, namespace })).toEqual(expected);
      } finally {
        await remove();
      }
    });
  }
});
