import { afterAll, describe, expect, it } from 'vitest';

import { endpointCases } from '../fixtures/api-cases/endpoints.ts';
import { connectToCluster, makeNamespace } from './real-cluster.ts';

const { client, connection } = connectToCluster();

afterAll(() => {
  connection.transport.close();
});

describe("a real cluster's Endpoints", () => {
  for (const { title, run, expected } of endpointCases) {
    it(title, async () => {
      const { namespace, remove } = await makeNamespace(client, 'c3-ep');
      try {
        const seen = await run({ client, namespace });
        expect(seen).toEqual(expected);
      } finally {
        await remove();
      }
    });
  }
});
