import { expect, it } from 'vitest';

import type { KubeClient } from '../../kube/client.ts';
import { awaitLeases, readLeases } from './controllers-of.ts';

/** A client whose first list of Leases is empty, as while the controllers of a new cluster start. */
function startingCluster(): KubeClient {
  const lists = [[], [{ metadata: { name: 'lifehook' } }]];
  return { list: async () => ({ items: lists.shift() ?? [] }) } as unknown as KubeClient;
}

it('awaitLeases waits for the first Lease of controllers that are starting', async () => {
  expect(await readLeases(startingCluster())).toEqual([]);
  expect(await awaitLeases(startingCluster())).toEqual([{ metadata: { name: 'lifehook' } }]);
});
