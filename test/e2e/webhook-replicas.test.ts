/** Replicas of the controllers that start together on a local cluster: the server must trust all of them. */
import { expect, it } from 'vitest';

import { freshStarts } from '../fixtures/webhook-replicas.ts';
import { openCluster } from './cluster-stand.ts';
import { installKinds } from './controller-program.ts';

const ROUNDS = 5;

it('two replicas that start together without certificates show some that the API server trusts', async () => {
  await using cluster = await openCluster();
  await installKinds(cluster);
  const results = await freshStarts({ ...cluster, namespace: 'default', rounds: ROUNDS });
  expect(results).toEqual(Array.from({ length: ROUNDS }, () => [true, true]));
});
