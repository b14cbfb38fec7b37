/**
 * The controllers in this process, for what is left where none runs any more: without a lease, which went
 * with their namespace, and without a webhook. The caller has seen that no other controllers are there.
 */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { setMaxListeners } from 'node:events';

import { runManager } from '../../controller/manager.ts';
import { groupDefinitions } from '../../cluster/snapshots/crds/group-definitions.ts';
import { singleDefinitions } from '../../cluster/snapshots/crds/single-definitions.ts';
import { capabilitiesOf } from '../../kube/capabilities.ts';
import type { KubeClient } from '../../kube/client.ts';
import { createOrGet } from '../../kube/create-or-get.ts';
import { customResourceDefinitions } from '../../kube/resources.ts';
import { readServerFacts } from '../../kube/server-facts.ts';
import { controllersOf } from '../controller/controllers-of.ts';
import { makeControllerLog } from '../controller/controller-log.ts';
import type { CliCluster } from '../kube-connection.ts';
import { lifehookDefinitions } from './all-definitions.ts';
import type { StandingScope } from './standing.ts';

const STDERR = 2;
const MAX_LISTENERS = 10_000;
const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io/v1';

/** Runs until the signal aborts. What they warn of goes to the standard error. */
export async function runStandIn(
  { client, connectAgain }: CliCluster,
  scope: StandingScope,
  signal: AbortSignal,
): Promise<void> {
  setMaxListeners(MAX_LISTENERS);
  const borrowed = await makeKindsWhole(client);
  const log = makeControllerLog('warn', STDERR);
  const { volumeGroupSnapshot } = capabilitiesOf(await readServerFacts(client));
  const { informers, controllers, recorder } = controllersOf({
    connect: connectAgain,
    scope,
    groupSnapshots: volumeGroupSnapshot === 'v1',
    observe: log.observe,
    observeController: log.observeController,
    rollouts: { prove: null, observe: log.observeRollout },
  });
  try {
    await runManager({ informers, controllers, election: null, signal });
  } finally {
    await recorder.stop();
    for (const { metadata } of borrowed) {
      await client.delete(customResourceDefinitions, { name: metadata?.name ?? '' });
    }
  }
}

/** A cache of a kind that is gone would never fill. Returns those of the storage, which are to go again. */
async function makeKindsWhole(client: KubeClient): Promise<readonly CustomResourceDefinition[]> {
  const { groupVersions } = await readServerFacts(client);
  const ofStorage = groupVersions.includes(SNAPSHOT_GROUP)
    ? []
    : [...singleDefinitions, ...groupDefinitions];
  for (const definition of [...lifehookDefinitions({ cel: false }), ...ofStorage]) {
    await createOrGet<CustomResourceDefinition>(client, customResourceDefinitions, definition);
  }
  return ofStorage;
}
