import { afterAll, describe, expect, it } from 'vitest';

import { namespaceCases } from '../fixtures/api-cases/namespaces.ts';
import { connectToCluster, makeNamespace } from './real-cluster.ts';

const { client, connection } = connectToCluster();

afterAll(() => {
  connection.transport.close();
});

describe("a real cluster's namespaces", () => {
  for (const { title, run, expected } of namespaceCases) {
    it(title, async () => {
      const { namespace, remove } = await makeNamespace(client, 'c3-ns');
      try {
        const seen = await run({ client, namespace });
        expect(seen).toEqual(expected);
      } finally {
        await remove();
      }
    });
  }
});
