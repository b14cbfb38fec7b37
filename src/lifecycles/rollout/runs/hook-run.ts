/** The record of a stage: its creation, and the identities of its attempts. */
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

/** The recorded fields by which the pod of an attempt is recognised. */
export type KnownAttempt = Pick<HookAttempt, 'number' | 'podUID' | 'grants' | 'token'>;

/** Builds a HookRun. Its lifecycle owns it, so that it is deleted with the lifecycle. */
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

/** The recorded fields of the attempt; only its number if there is no record. */
export function attemptIn({ status }: HookRun, number: number): KnownAttempt {
  return status?.attempts.find((each) => each.number === number) ?? { number };
}

/** The identity in the labels of this attempt's pod. */
export function podIdentity({ spec }: HookRun, attempt: number): HookPodIdentity {
  return { uid: spec.deploymentUID, number: spec.rollout, stage: spec.stage, attempt };
}

/**
 * True: the pod was created for the attempt. The labels alone do not prove that, because another client may have
 * created a pod with the same labels in advance. Before the first grant the controller has created no pod (ROLL-S5).
 */
export function isPodOfAttempt(
  run: HookRun,
  { number, podUID, grants, token }: KnownAttempt,
  pod: KubeObject,
): boolean {
  if (!isSameIdentity(identityOf(pod), podIdentity(run, number))) return false;
  const { uid, annotations } = pod.metadata ?? {};
  if (podUID !== undefined) return uid === podUID;
  // An earlier version of Lifehook granted the permit, and recorded no token.
  if (token === undefined) return grants !== undefined;
  return annotations?.[ATTEMPT_TOKEN] === token;
}

/** True: the pod has the labels of an attempt of this HookRun. */
export function isPodOf(run: HookRun, pod: KubeObject): boolean {
  const identity = identityOf(pod);
  return identity !== null && isSameIdentity(identity, podIdentity(run, identity.attempt));
}

/**
 * True: the outcome of the attempt is recorded, or no longer needed. Attempts that are no longer in the list ended
 * before those in it.
 */
export function hasEnded({ status }: HookRun, attempt: number): boolean {
  if (status === undefined) return false;
  if (status.phase !== 'Running') return true;
  const { attempts } = status;
  const [firstKept] = attempts;
  if (firstKept === undefined) return false;
  if (attempt < firstKept.number) return true;
  return attempts.some(({ number, outcome }) => number === attempt && outcome !== undefined);
}
