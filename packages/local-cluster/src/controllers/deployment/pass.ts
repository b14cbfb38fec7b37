/** What one pass over a deployment carries from step to step, and its writes of the deployment itself. */
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
  /** As the server has last told it to this pass. */
  deployment: Deployment;
  /** All that are the deployment's own. */
  readonly sets: readonly ReplicaSet[];
  /** Of those sets, whatever state they are in. */
  readonly pods: readonly Pod[];
}

export interface DeploymentWrite {
  readonly status?: DeploymentStatus;
  /** The revision that the deployment shall name; 0 or absent: leave it. */
  readonly revision?: number;
}

/**
 * One write of status and revision together, if it says anything new; resolves with whether it did. The
 * annotation goes by the status, where it is no new generation of the deployment.
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

/** The present status with one condition more, or changed. */
export function statusWith(pass: DeploymentPass, next: NewDeploymentCondition): DeploymentStatus {
  const { status = {} } = pass.deployment;
  return { ...status, conditions: [...setCondition(status.conditions ?? [], next, pass.nowMs())] };
}

export function tell(
  { recorder, deployment }: DeploymentPass,
  note: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
): void {
  recorder.record({ about: aboutObject(deployments, deployment), ...note });
}
