/** The record of a stage: how it is created, and the names of its attempts. */
import { apiVersionOf, type KubeObject } from '../../../kube/object.ts';
import { hookPodName, hookRunName } from '../hookpod/hook-pod-name.ts';
import {
  type HookPodIdentity,
  identityOf,
  isSameIdentity,
  runLabels,
} from '../hookpod/identity.ts';
import { deploymentLifecycles, type HookRun } from '../kinds.ts';
import type { StageRequest } from './stage.ts';

/** Owned by its lifecycle, so that it is deleted with it and not before. */
export function makeHookRun(request: StageRequest): HookRun {
  const { deployment, lifecycle, number, stage, hook, fromRevision, toRevision } = request;
  const { name = '', namespace = '', uid = '' } = deployment.metadata ?? {};
  const { name: lifecycleName = '', uid: lifecycleUID = '' } = lifecycle.metadata ?? {};
  const one = { deployment: name, uid, number, stage };
  return {
    metadata: {
      name: hookRunName(one),
      namespace,
      labels: runLabels(one),
      ownerReferences: [
        {
          apiVersion: apiVersionOf(deploymentLifecycles),
          kind: deploymentLifecycles.kind,
          name: lifecycleName,
          uid: lifecycleUID,
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    },
    spec: {
      deploymentName: name,
      deploymentUID: uid,
      lifecycleName,
      rollout: number,
      stage,
      direction: request.direction,
      digest: request.digest,
      ...(fromRevision === undefined ? {} : { fromRevision }),
      ...(toRevision === undefined ? {} : { toRevision }),
      hook,
      deadlineSeconds: request.deadlineSeconds,
    },
  };
}

export function podNameOf({ spec }: HookRun, attempt: number): string {
  const { deploymentName: deployment, deploymentUID: uid, rollout: number, stage } = spec;
  return hookPodName({ deployment, uid, number, stage, attempt });
}

/** The identity in the labels of this attempt's pod. */
export function podIdentity({ spec }: HookRun, attempt: number): HookPodIdentity {
  return { uid: spec.deploymentUID, number: spec.rollout, stage: spec.stage, attempt };
}

/** Whether the pod belongs to one of its attempts. */
export function isPodOf(run: HookRun, pod: KubeObject): boolean {
  const identity = identityOf(pod);
  return identity !== null && isSameIdentity(identity, podIdentity(run, identity.attempt));
}

/** Whether its outcome is recorded, or is no longer needed. Attempts that are not kept ended before the others. */
export function hasEnded({ status }: HookRun, attempt: number): boolean {
  if (status === undefined) return false;
  if (status.phase !== 'Running') return true;
  const { attempts } = status;
  const [firstKept] = attempts;
  if (firstKept === undefined) return false;
  if (attempt < firstKept.number) return true;
  return attempts.some(({ number, outcome }) => number === attempt && outcome !== undefined);
}
