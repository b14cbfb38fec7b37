/** The record of a stage: how it is created, and the names of its attempts. */
import { apiVersionOf, type KubeObject } from '../../../kube/object.ts';
import {
  hookPodName,
  hookRunName,
  type HookPodIdentity,
  identityOf,
  isSameIdentity,
  runLabels,
} from '../hookpod/identity.ts';
import { deploymentLifecycles, type HookAttempt, type HookRun } from '../kinds.ts';
import { ATTEMPT_TOKEN } from '../names.ts';
import type { StageRequest } from './stage.ts';

/** The record of the pod of an attempt. */
export type KnownAttempt = Pick<HookAttempt, 'number' | 'podUID' | 'grants' | 'token'>;

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

/** The record of the attempt; empty fields if it has none. */
export function attemptIn({ status }: HookRun, number: number): KnownAttempt {
  return status?.attempts.find((each) => each.number === number) ?? { number };
}

/** The identity in the labels of this attempt's pod. */
export function podIdentity({ spec }: HookRun, attempt: number): HookPodIdentity {
  return { uid: spec.deploymentUID, number: spec.rollout, stage: spec.stage, attempt };
}

/**
 * Whether the pod was created for the attempt. Its labels alone can be those of a pod that another client created in
 * advance; before the first grant there is no pod of ours (ROLL-S5).
 */
export function isPodOfAttempt(
  run: HookRun,
  { number, podUID, grants, token }: KnownAttempt,
  pod: KubeObject,
): boolean {
  if (!isSameIdentity(identityOf(pod), podIdentity(run, number))) return false;
  const { uid, annotations } = pod.metadata ?? {};
  if (podUID !== undefined) return uid === podUID;
  // An earlier version has granted it without a token.
  if (token === undefined) return grants !== undefined;
  return annotations?.[ATTEMPT_TOKEN] === token;
}

/** Whether the pod has the labels of one of its attempts. */
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
