/** Judges whether a deployed object has reached its desired state. Pure over one object of the cluster. */
import type {
  DaemonSet,
  DaemonSetStatus,
  Deployment,
  DeploymentStatus,
  StatefulSet,
  StatefulSetStatus,
} from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { KubeObject } from '../../../kube/object.ts';
import { countText } from '../../../model/count-text.ts';
import { isUnseen } from './workload.ts';

export type Judgement =
  /** final: the state does not change by itself any more. */
  | { readonly kind: 'ready'; readonly final: boolean }
  | { readonly kind: 'waiting'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

const READY: Judgement = { kind: 'ready', final: false };
const DONE: Judgement = { kind: 'ready', final: true };

/** Judges whether an object is ready. Kinds that are not listed here are ready as soon as they exist. */
export function judgeObject(object: KubeObject): Judgement {
  switch (`${object.apiVersion ?? ''} ${object.kind ?? ''}`) {
    case 'apps/v1 Deployment':
      return judgeDeployment(object as Deployment);
    case 'apps/v1 StatefulSet':
      return judgeStatefulSet(object as StatefulSet);
    case 'apps/v1 DaemonSet':
      return judgeDaemonSet(object as DaemonSet);
    case 'batch/v1 Job':
      return judgeJob(object as Job);
    case 'v1 Pod':
      return judgePod(object as Pod);
    default:
      return DONE;
  }
}

/**
 * Worked example with 3 replicas: while 3 of 4 pods are updated, it waits for 1 old pod. While 2 of 3 updated pods are
 * available, it waits for 1 pod. A status of an earlier generation is ignored.
 */
function judgeDeployment(deployment: Deployment): Judgement {
  const held = heldRollout(deployment);
  if (held !== null)
    return waiting(`rollout ${held} waits for its hooks: see lifehook rollout status`);
  if (isUnseen(deployment)) return unseen();
  const { spec, status = {} } = deployment;
  const late = status.conditions?.find(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  );
  if (late !== undefined) return failed(late.message ?? 'its progress deadline has passed');
  return judgeReplicas(spec?.replicas ?? 1, status);
}

/**
 * The rollout for which a Deployment with a DeploymentLifecycle is held; null: its newest template is released. Without
 * this check, a drained Deployment with 0 of 0 wanted replicas would count as ready. The names of the annotations and
 * labels are part of the public interface of the rollout lifecycle.
 */
function heldRollout({ metadata }: Deployment): string | null {
  const {
    'lifehook.dev/rollout': newest,
    'lifehook.dev/released': released,
    'lifehook.dev/gated': gated,
  } = { ...metadata?.annotations, ...metadata?.labels };
  return gated === undefined || newest === undefined || newest === released ? null : newest;
}

function judgeReplicas(wanted: number, status: DeploymentStatus): Judgement {
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  if (updated < wanted) return waiting(`${updated} of ${wanted} replicas have the new template`);
  if (replicas > updated)
    return waiting(`${countText(replicas - updated, 'old replica')} not deleted yet`);
  if (available < wanted) return waiting(`${available} of ${wanted} replicas are available`);
  return READY;
}

/**
 * Judges a StatefulSet. With OnDelete no controller replaces old pods; below a partition replicas keep the old
 * template.
 */
function judgeStatefulSet(set: StatefulSet): Judgement {
  const { spec, status } = set;
  const { updateStrategy: { type, rollingUpdate } = {}, replicas: wanted = 1 } = spec ?? {};
  if (type === 'OnDelete') return READY;
  if (isUnseen(set)) return unseen();
  const toUpdate = Math.max(0, wanted - (rollingUpdate?.partition ?? 0));
  return judgeSetReplicas(wanted, toUpdate, status);
}

function judgeSetReplicas(
  wanted: number,
  toUpdate: number,
  status: StatefulSetStatus | undefined,
): Judgement {
  const { updatedReplicas = 0, readyReplicas: ready = 0 } = status ?? {};
  const updated = isSettled(status) ? wanted : updatedReplicas;
  if (updated < toUpdate) {
    return waiting(`${updated} of ${toUpdate} replicas have the new template`);
  }
  return ready < wanted ? waiting(`${ready} of ${wanted} replicas are ready`) : READY;
}

/** Counts the nodes that should run the pod. With OnDelete no controller replaces old pods. */
function judgeDaemonSet(set: DaemonSet): Judgement {
  if (set.spec?.updateStrategy?.type === 'OnDelete') return READY;
  if (isUnseen(set)) return unseen();
  const { status } = set;
  return judgeNodes(status?.desiredNumberScheduled ?? 0, status);
}

function judgeNodes(wanted: number, status: DaemonSetStatus | undefined): Judgement {
  const { updatedNumberScheduled: updated = 0, numberAvailable: available = 0 } = status ?? {};
  if (updated < wanted) return waiting(`${updated} of ${wanted} nodes run the new template`);
  return available < wanted ? waiting(`it is available on ${available} of ${wanted} nodes`) : READY;
}

/** Whether no update is running. Then there is only one revision, which all replicas have. */
function isSettled(status: StatefulSetStatus | undefined): boolean {
  const { currentRevision, updateRevision } = status ?? {};
  return currentRevision === updateRevision;
}

function judgeJob({ status }: Job): Judgement {
  const is = (name: string): string | undefined => {
    const found = status?.conditions?.find(
      ({ type, status: on }) => type === name && on === 'True',
    );
    return found === undefined ? undefined : (found.message ?? found.reason ?? name);
  };
  if (is('Complete') !== undefined) return DONE;
  const failure = is('Failed');
  return failure === undefined ? waiting('it has not completed') : failed(failure);
}

function judgePod({ status = {} }: Pod): Judgement {
  const { phase, message, reason, conditions = [] } = status;
  if (phase === 'Succeeded') return DONE;
  if (phase === 'Failed') return failed(message ?? reason ?? 'its containers have failed');
  const isReady = conditions.some(({ type, status: on }) => type === 'Ready' && on === 'True');
  return isReady ? READY : waiting('it is not ready');
}

function failed(why: string): Judgement {
  return { kind: 'failed', why };
}

function waiting(why: string): Judgement {
  return { kind: 'waiting', why };
}

function unseen(): Judgement {
  return waiting('no controller has observed this change yet');
}
