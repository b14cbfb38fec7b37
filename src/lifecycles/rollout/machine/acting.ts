/** What every step is carried out with, and how it tells what it has done. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { aboutObject } from '../../../controller/event-recorder.ts';
import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
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
import type { Telling } from './step.ts';

export interface Acting {
  readonly context: RolloutContext;
  readonly caches: RolloutCaches;
  readonly proofs: GateProofs;
  /** Fenced. */
  readonly client: KubeClient;
  readonly facts: RolloutFacts;
}

/** The next step follows at once, from what was written. */
export const again: Outcome = requeueAfter(0, 'the next step');

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
): Promise<void> {
  const { namespace = '', name = '' } = metadata ?? {};
  caches.writtenDeployments.remember(await client.patch(deployments, { namespace, name }, patch));
}

/** About the Deployment, where people look; about its lifecycle where there is none. */
export function tell({ context, facts }: Acting, { notices = [], observed = [] }: Telling): void {
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
