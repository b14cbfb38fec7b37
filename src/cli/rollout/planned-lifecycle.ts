/** The lifecycle that a Deployment has after its manifest was applied. Writes nothing: it uses dry runs. */
import { type DeploymentLifecycle, deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import type { CliCluster } from '../kube-connection.ts';
import { lifecycleOf, listLifecycles } from './read-rollout.ts';

export interface PlannedLifecycle {
  readonly lifecycle: DeploymentLifecycle;
  /** Whether the gate can be proven now: it is that of the stored lifecycle, and the webhook has to hold rollouts. */
  readonly isProvable: boolean;
}

/**
 * `written`: the lifecycles of the manifest that name the Deployment. Rejects with LHR402 if there is none, here or on
 * the server.
 */
export async function plannedLifecycle(
  cluster: CliCluster,
  name: string,
  written: readonly DeploymentLifecycle[],
): Promise<PlannedLifecycle> {
  const stored = await listLifecycles(cluster);
  const applied = await Promise.all(written.map((one) => dryRun(cluster, stored, one)));
  const names = new Set(applied.map(({ metadata }) => metadata?.name));
  const others = stored.filter(({ metadata }) => !names.has(metadata?.name));
  const lifecycle = lifecycleOf(cluster, [...others, ...applied], name);
  const isGated = stored.some(({ spec }) => spec.deploymentName === name && isByWebhook(spec));
  return { lifecycle, isProvable: isGated && isByWebhook(lifecycle.spec) };
}

function isByWebhook({ gate }: DeploymentLifecycle['spec']): boolean {
  return gate !== 'PausedAtRest';
}

/** The lifecycle as the server would store it. It is replaced, since an apply would keep the fields that it lacks. */
function dryRun(
  { client, namespace }: CliCluster,
  stored: readonly DeploymentLifecycle[],
  written: DeploymentLifecycle,
): Promise<DeploymentLifecycle> {
  const metadata = { ...written.metadata, namespace };
  const before = stored.find((one) => one.metadata?.name === metadata.name);
  if (before === undefined) {
    return client.create(deploymentLifecycles, { ...written, metadata }, { dryRun: true });
  }
  const { resourceVersion = '' } = before.metadata ?? {};
  const object = { ...written, metadata: { ...metadata, resourceVersion } };
  return client.replace(deploymentLifecycles, object, { dryRun: true });
}
