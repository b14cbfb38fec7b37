/**
 * Runs the controllers in this process, without a webhook, to finish the work of deleted controllers. While another
 * process leads, such as a `lifehook controller` outside the cluster, the controllers wait.
 */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { setMaxListeners } from 'node:events';

import { runManager } from '../../controller/manager.ts';
import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { createOrGet, getOrNull } from '../../kube/get-or-null.ts';
import { customResourceDefinitions, leases, namespaces } from '../../kube/resources.ts';
import { makeEventLog } from '../../observe/event-log.ts';
import { controllerElection, LEASE_NAME } from '../controller/controller-election.ts';
import { controllersOf } from '../controller/controllers-of.ts';
import type { CliCluster } from '../kube-connection.ts';
import { lifehookDefinitions } from './all-definitions.ts';
import type { StandingScope } from './standing.ts';

const STDERR = 2;
const MAX_LISTENERS = 10_000;

export interface StandInOptions {
  /** The namespace of the installation and of its Lease. */
  readonly namespace: string;
  readonly scope: StandingScope;
  readonly signal: AbortSignal;
}

/**
 * Runs the controllers until the signal aborts. Warnings are printed on stderr. Rejects with LedElsewhere if another
 * process leads by the Lease of another namespace.
 */
export async function runStandIn(
  { client, connectAgain }: CliCluster,
  options: StandInOptions,
): Promise<void> {
  const { scope, signal } = options;
  setMaxListeners(MAX_LISTENERS);
  await makeKindsWhole(client);
  const log = makeEventLog('warn', STDERR);
  const { informers, controllers, recorder } = controllersOf({
    connect: connectAgain,
    scope,
    observe: log.observe,
    observeController: log.observeController,
    webhookKey: null,
  });
  const observe = log.observeController;
  const namespace = await leaseNamespace(client, options.namespace);
  try {
    const about = { client, namespace, scope, observe, role: 'standby' } as const;
    const election = await controllerElection(about);
    await runManager({ informers, controllers, election, signal });
  } finally {
    await recorder.stop();
    if (namespace !== options.namespace) await removeLease(client, namespace);
  }
}

/**
 * The namespace of the installation, or `default` if that namespace was deleted or is terminating: the Lease needs one.
 */
async function leaseNamespace(client: KubeClient, namespace: string): Promise<string> {
  const found = await getOrNull(client, namespaces, { name: namespace });
  const stays = found !== null && found.metadata?.deletionTimestamp === undefined;
  return stays ? namespace : 'default';
}

/** Deletes the Lease in `default`, unless another process leads by it. */
async function removeLease(client: KubeClient, namespace: string): Promise<void> {
  const key = { namespace, name: LEASE_NAME };
  const { metadata, spec } = (await getOrNull<Lease>(client, leases, key)) ?? {};
  if (metadata?.uid === undefined || (spec?.holderIdentity ?? '') !== '') return;
  const { uid, resourceVersion = '' } = metadata;
  await orNull(
    client.delete(leases, key, { preconditions: { uid, resourceVersion } }),
    'NotFound',
    'Conflict',
  );
}

/** Restores the missing kinds: the cache of a deleted kind would never sync. */
async function makeKindsWhole(client: KubeClient): Promise<void> {
  for (const definition of lifehookDefinitions()) {
    await createOrGet<CustomResourceDefinition>(client, customResourceDefinitions, definition);
  }
}
