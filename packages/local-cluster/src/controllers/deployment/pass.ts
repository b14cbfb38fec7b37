/** The state of one reconcile of a deployment, and its writes to the deployment. */
import type { Deployment, DeploymentStatus, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Notice } from '../../../../../src/controller/event-correlator.ts';
import { aboutObject, type EventRecorder } from '../../../../../src/controller/event-recorder.ts';
import { sameJson } from '../../../../../src/controller/same-json.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { deployments } from '../../../../../src/kube/resources.ts';
import { type NewDeploymentCondition, setCondition } from './status.ts';
import { revisionOf, REVISION } from './revisions.ts';

export interface DeploymentPass {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly nowMs: () => number;
  /** Latest version that the server has returned in this reconcile. */
  deployment: Deployment;
  /** All ReplicaSets that the deployment controls. */
  readonly sets: readonly ReplicaSet[];
  /** All pods of those ReplicaSets, including terminating and finished ones. */
  readonly pods: readonly Pod[];
}

export interface DeploymentWrite {
  readonly status?: DeploymentStatus;
  /** Revision to set on the deployment; 0 or absent leaves it unchanged. */
  readonly revision?: number;
}

/**
 * Writes status and revision in one request if either differs. Resolves to true if it wrote.
 *
 * The annotation is written through the status subresource, so that the deployment's generation does not change.
 */
export async function writeDeployment(
  pass: DeploymentPass,
  { status, revision = 0 }: DeploymentWrite,
): Promise<boolean> {
  const { client, deployment } = pass;
  const numbered = revision === 0 || revision === revisionOf(deployment);
  const next = status ?? deployment.status ?? {};
  if (numbered && sameJson(deployment.status ?? {}, next)) return false;
  const annotations = { ...deployment.metadata?.annotations };
  if (!numbered) annotations[REVISION] = String(revision);
  const metadata = { ...deployment.metadata, annotations };
  pass.deployment = await client.replaceStatus(deployments, {
    ...deployment,
    metadata,
    status: next,
  });
  return true;
}

/** The current status with one condition set. */
export function statusWith(pass: DeploymentPass, next: NewDeploymentCondition): DeploymentStatus {
  const { status = {} } = pass.deployment;
  return { ...status, conditions: [...setCondition(status.conditions ?? [], next, pass.nowMs())] };
}

export function recordEvent({ recorder, deployment }: DeploymentPass, note: Notice): void {
  recorder.record({ about: aboutObject(deployments, deployment), ...note });
}
