/** The rollout kinds on a real server: the fields that it stores, and the objects that the definitions refuse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deploymentLifecycles, hookRuns } from '../../src/lifecycles/rollout/kinds.ts';
import { defineRolloutKinds } from '../fixtures/rollout/define-rollout-kinds.ts';
import { refusalOf, refusals, storedKinds, written } from '../fixtures/rollout/stored-kinds.ts';
import { connectToCluster, makeNamespace } from './real-cluster.ts';

const { client, connection } = connectToCluster();
let namespace: string;
let removeNamespace: () => Promise<void>;
let removeKinds: () => Promise<void>;

beforeAll(async () => {
  removeKinds = await defineRolloutKinds(client);
  ({ namespace, remove: removeNamespace } = await makeNamespace(client, 'rollout-kinds'));
});

afterAll(async () => {
  await client.delete(hookRuns, { namespace, name: 'full' });
  await client.delete(deploymentLifecycles, { namespace, name: 'full' });
  await removeNamespace();
  await removeKinds();
  connection.transport.close();
});

describe('the rollout kinds on a real server', () => {
  it('are stored with every field as written', async () => {
    expect(await storedKinds(client, namespace)).toEqual(written);
  });

  it.each(refusals)('refuse $title', async ({ spec, says }) => {
    expect(await refusalOf(client, namespace, spec)).toContain(says);
  });
});
