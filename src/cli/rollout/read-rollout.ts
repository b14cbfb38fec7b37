/** Reads the objects of a Deployment's rollout from the server: the Deployment, its lifecycle and its HookRuns. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { isReason } from '../../kube/api-error.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { deployments } from '../../kube/resources.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type HookRun,
  hookRuns,
} from '../../lifecycles/rollout/kinds.ts';
import { OF_DEPLOYMENT_UID } from '../../lifecycles/rollout/names.ts';
import { LifehookError } from '../../model/problem.ts';
import type { CliCluster } from '../kube-connection.ts';

export interface RolloutFacts {
  readonly deployment: Deployment;
  readonly lifecycle: DeploymentLifecycle;
  /** All stored HookRuns of the Deployment, unordered. */
  readonly runs: readonly HookRun[];
}

/** Rejects with LHR401 if the Deployment does not exist, and with the errors of `readLifecycle`. */
export async function readRollout(cluster: CliCluster, name: string): Promise<RolloutFacts> {
  const deployment = await readDeployment(cluster, name);
  const lifecycle = await readLifecycle(cluster, name);
  const runs = await cluster.client.list(hookRuns, {
    namespace: cluster.namespace,
    labelSelector: runsOf(deployment),
  });
  return { deployment, lifecycle, runs: runs.items };
}

/** The label selector of the Deployment's HookRuns. */
export function runsOf({ metadata }: Deployment): string {
  return `${OF_DEPLOYMENT_UID}=${metadata?.uid ?? ''}`;
}

async function readDeployment(cluster: CliCluster, name: string): Promise<Deployment> {
  const { client, namespace } = cluster;
  const found = await getOrNull(client, deployments, { namespace, name });
  if (found !== null) return found;
  throw noDeployment(cluster, name);
}

export function noDeployment({ namespace, source }: CliCluster, name: string): LifehookError {
  return new LifehookError({
    code: 'LHR401',
    message: `There is no Deployment "${name}" in namespace "${namespace}" (${source}).`,
    next: 'See `kubectl get deployments -A`, or name another --namespace.',
  });
}

/** Rejects with LHR402 if no lifecycle names the Deployment, and with LHR403 if the server lacks the kind. */
async function readLifecycle(cluster: CliCluster, name: string): Promise<DeploymentLifecycle> {
  return lifecycleOf(cluster, await listLifecycles(cluster), name);
}

/** Rejects with LHR403 if the server lacks the kind. */
export async function listLifecycles({
  client,
  namespace,
  source,
}: CliCluster): Promise<readonly DeploymentLifecycle[]> {
  try {
    return (await client.list(deploymentLifecycles, { namespace })).items;
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    throw new LifehookError({
      code: 'LHR403',
      message: `The server does not know the kind DeploymentLifecycle (${source}).`,
      next: 'Install it: lifehook install | kubectl apply -f -',
    });
  }
}

/** The effective lifecycle of a Deployment, which is the oldest one that names it. Throws LHR402 if none does. */
export function lifecycleOf(
  { namespace }: Pick<CliCluster, 'namespace'>,
  lifecycles: readonly DeploymentLifecycle[],
  name: string,
): DeploymentLifecycle {
  const age = ({ metadata }: DeploymentLifecycle): string =>
    `${metadata?.creationTimestamp ?? ''} ${metadata?.name ?? ''}`;
  const [found] = lifecycles
    .filter(({ spec }) => spec.deploymentName === name)
    .toSorted((one, other) => (age(one) < age(other) ? -1 : 1));
  if (found !== undefined) return found;
  throw new LifehookError({
    code: 'LHR402',
    message: `No DeploymentLifecycle of namespace "${namespace}" names the Deployment "${name}": its rollouts have no hooks.`,
    next: `Create one with spec.deploymentName "${name}"; docs/rollout.md begins with an example.`,
  });
}
