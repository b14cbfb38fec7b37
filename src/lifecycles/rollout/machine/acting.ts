/** The dependencies of the code that carries out steps, and the report of the results. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { aboutObject } from '../../../controller/event-recorder.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import type { KubeClient, PatchOptions } from '../../../kube/client.ts';
import { deployments } from '../../../kube/resources.ts';
import type { RolloutContext } from '../context.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type DeploymentLifecycleStatus,
} from '../kinds.ts';
import type { RolloutCaches } from './caches.ts';
import type { RolloutFacts } from './facts.ts';
import type { GateProofs } from './gate-proofs.ts';
import type { Emits } from './step.ts';

export interface Acting {
  readonly context: RolloutContext;
  readonly caches: RolloutCaches;
  readonly proofs: GateProofs;
  /** Writes only during the current term of leadership. */
  readonly client: KubeClient;
  readonly facts: RolloutFacts;
}

export async function writeLifecycle(
  { client, caches }: Acting,
  object: DeploymentLifecycle,
  status: DeploymentLifecycleStatus,
): Promise<void> {
  const resource = deploymentLifecycles;
  const written = await writeStatusIfChanged({ client, resource, object, status });
  caches.writtenLifecycles.remember(written);
}

export async function patchDeployment(
  { client, caches }: Acting,
  { metadata }: Deployment,
  patch: Pick<PatchOptions, 'type' | 'body' | 'subresource'>,
): Promise<Deployment> {
  const { namespace = '', name = '' } = metadata ?? {};
  const written = await client.patch(deployments, { namespace, name }, patch);
  caches.writtenDeployments.remember(written);
  return written;
}

/** Emits Events about the Deployment, where users look for them, or about its lifecycle if there is no Deployment. */
export function emit({ context, facts }: Acting, { notices = [], observed = [] }: Emits): void {
  const { deployment, lifecycle, key } = facts;
  for (const notice of notices) {
    if (deployment !== null) {
      context.recorder.record({ about: aboutObject(deployments, deployment), ...notice });
    } else if (lifecycle !== null) {
      context.recorder.record({ about: aboutObject(deploymentLifecycles, lifecycle), ...notice });
    }
  }
  for (const event of observed) {
    context.observe({ namespace: key.namespace, deployment: key.name, ...event });
  }
}
