/** Two Deployments of one pod each, one with hooks and one without, and watches on their objects. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { configMaps, deployments } from '../src/kube/resources.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type LifecycleHook,
} from '../src/lifecycles/rollout/kinds.ts';
import { isComplete, isObserved } from '../src/lifecycles/rollout/machine/parts.ts';
import {
  caseDeployment,
  caseTemplate,
  shellHook,
} from '../test/fixtures/rollout-cases/case-manifests.ts';
import { isArmed, type RolloutCluster } from './rollout-cluster.ts';
import type { Watched } from './rollout-watch.ts';

export const HOOK: LifecycleHook = shellHook('true');
/** Name of a ConfigMap that is written only to measure bare requests. */
export const WRITTEN = 'written';

export interface Stand {
  readonly cluster: RolloutCluster;
  readonly pods: Watched<Pod>;
  readonly deployments: Watched<Deployment>;
  readonly lifecycles: Watched<DeploymentLifecycle>;
}

/** Resolves once both Deployments run and the gate of `hooked` is armed. */
export async function prepare({ cluster, deployments: seen, lifecycles }: Stand): Promise<void> {
  const { client, namespace } = cluster;
  await client.create(configMaps, { metadata: { namespace, name: WRITTEN } });
  for (const name of ['hooked', 'bare']) {
    const deployment = caseDeployment(namespace, { replicas: 1 });
    const { spec } = deployment;
    const labels = { app: name };
    await client.create(deployments, {
      ...deployment,
      metadata: { namespace, name },
      spec: { ...spec, selector: { matchLabels: labels }, template: templateOf(name, 't1') },
    });
    await seen.first(`${name} runs`, (each) => each.metadata?.name === name && isRolledOut(each));
  }
  await client.create(deploymentLifecycles, {
    metadata: { namespace, name: 'hooked' },
    spec: { deploymentName: 'hooked', rollingUpdate: { pre: HOOK, post: HOOK } },
  });
  await lifecycles.first('the gate is armed', isArmed);
}

export function templateOf(app: string, version: string): PodTemplateSpec {
  const { metadata, ...template } = caseTemplate({ version });
  return { metadata: { ...metadata, labels: { app } }, ...template };
}

export async function patchTemplate(
  { client, namespace }: RolloutCluster,
  name: string,
  version: string,
): Promise<Deployment> {
  const body = { spec: { template: { metadata: { annotations: { version } } } } };
  return client.patch(deployments, { namespace, name }, { type: 'merge', body });
}

export function isRolledOut(deployment: Deployment): boolean {
  return isObserved(deployment) && isComplete(deployment);
}

/** True if all containers of the pod have exited. A kubelet of 1.37 reports the phase a second later. */
export function hasEnded({ spec, status }: Pod): boolean {
  const ended = (status?.containerStatuses ?? []).filter(({ state }) => state?.terminated);
  return ended.length > 0 && ended.length === spec?.containers.length;
}
