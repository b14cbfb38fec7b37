/** On a real cluster, the cluster's own roles decide which users may write objects that run commands. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { authorCases } from '../fixtures/authors/author-cases.ts';
import { AuthorStand } from '../fixtures/authors/author-stand.ts';
import { type ClusterConnection, connectToCluster } from './real-cluster.ts';

let cluster: ClusterConnection;
let stand: AuthorStand;

beforeAll(async () => {
  cluster = connectToCluster();
  const { client } = cluster;
  stand = await AuthorStand.open({
    client,
    asking: client,
    namespace: `authors-${randomBytes(4).toString('hex')}`,
    connectAs: (token) =>
      connectToCluster({ credentials: async () => ({ authorization: `Bearer ${token}` }) })
        .connection,
  });
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  cluster.connection.transport.close();
});

describe('on a real cluster', () => {
  for (const { title, run } of authorCases) {
    it(title, async () => {
      await expect(run(stand)).resolves.toBeUndefined();
    });
  }
});
