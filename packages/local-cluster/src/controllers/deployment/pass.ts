/** The state of one reconcile of a deployment, and its writes to the deployment itself. */
import type { Deployment, DeploymentStatus, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

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
  /** The latest version that the server has returned to this reconcile. */
  deployment: Deployment;
  /** All sets that the deployment controls. */
  readonly sets: readonly ReplicaSet[];
  /** The pods of those sets, in any state. */
  readonly pods: readonly Pod[];
}

export interface DeploymentWrite {
  readonly status?: DeploymentStatus;
  /** The revision to set on the deployment; 0 or absent: do not change it. */
  readonly revision?: number;
}

/**
 * Writes status and revision in one request if either differs; resolves with whether it wrote. The annotation
 * is written through the status subresource, which does not raise the deployment's generation.
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

/** The current status with one condition added or changed. */
export function statusWith(pass: DeploymentPass, next: NewDeploymentCondition): DeploymentStatus {
  const { status = {} } = pass.deployment;
  return { ...status, conditions: [...setCondition(status.conditions ?? [], next, pass.nowMs())] };
}

export function recordEvent(
  { recorder, deployment }: DeploymentPass,
  note: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
): void {
  recorder.record({ about: aboutObject(deployments, deployment), ...note });
}
