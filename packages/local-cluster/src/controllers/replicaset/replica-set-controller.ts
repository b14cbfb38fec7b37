/** Keeps the number of pods that a ReplicaSet asks for. */
import type {
  ReplicaSet,
  ReplicaSetCondition,
  ReplicaSetStatus,
} from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import type { EventRecorder } from '../../../../../src/controller/event-recorder.ts';
import {
  Expectations,
  followChildren,
  type Waiting,
} from '../../../../../src/controller/expectations.ts';
import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { byNamespace, controllerKey, ownKey } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { done, type Outcome, retry } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { pods, replicaSets } from '../../../../../src/kube/resources.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import type { ControllerContext } from '../context.ts';
import {
  candidatesFor,
  childIndex,
  controllerReference,
  ownerKeys,
  ownersUid,
  selects,
} from '../workload/child-index.ts';
import { claimChildren } from '../workload/claim.ts';
import {
  identityOf,
  isActive,
  isTerminatingPod,
  templateOf,
  availableInMs,
  withoutZeros,
} from '../workload/parts.ts';
import { carryOutPods, podFromTemplate, type PodPlan } from '../workload/pod-requests.ts';
import { rankForDeletion } from '../workload/rank-pods.ts';
import { BURST, WORKLOAD_BACKOFF } from '../workload/slow-start.ts';
import { waitFor } from '../workload/wait-for.ts';
import { isReady } from '../../../../../src/kube/pod-state.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';

const ofReplicaSet = controllerKey({ group: 'apps', kind: 'ReplicaSet' });
const WORKERS = 5;

export function makeReplicaSetController(context: ControllerContext): Controller {
  const { informers, client, recorder, platform } = context;
  const ofPods = informers.of<Pod>(pods, { indexes: childIndex });
  const ofSets = informers.of(replicaSets, { indexes: { namespace: byNamespace } });
  const expectations = new Expectations({ platform });
  // By uid: a recreated ReplicaSet must not wait for the pods of its predecessor with the same name.
  followChildren({ informer: ofPods, expectations, keys: ownersUid });
  ofSets.listen(({ before, after }) => {
    if (after === null) expectations.forget(before?.metadata?.uid ?? '');
  });
  const world = {
    client,
    recorder,
    expectations,
    pods: ofPods,
    nowMs: () => platform.clock.nowMs(),
  };
  return makeController({
    ...context,
    name: 'replicaset',
    workers: WORKERS,
    backoff: WORKLOAD_BACKOFF,
    sources: [
      watched({ informer: ofSets, keys: ownKey }),
      watched({ informer: ofPods, keys: (pod) => ownerKeys(ofSets, pod, ofReplicaSet) }),
    ],
    reconcile: async (key) => {
      const replicaSet = ofSets.get(key);
      return replicaSet === undefined ? done : syncReplicaSet(world, replicaSet);
    },
  });
}

interface ReplicaSetWorld {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly expectations: Expectations;
  readonly pods: Informer<Pod>;
  readonly nowMs: () => number;
}

/**
 * Runs one reconcile of one ReplicaSet: adopts or releases pods, creates or deletes pods, and writes the status.
 *
 * - Pods of other owners are not changed. Pods that have ended or are terminating do not count.
 * - No pod is created or deleted before the cache has seen all earlier creations and deletions, or five minutes have passed.
 * - The status contains the reconcile's own failure, so it is written before the failure is returned.
 */
async function syncReplicaSet(world: ReplicaSetWorld, replicaSet: ReplicaSet): Promise<Outcome> {
  const waiting = world.expectations.waitingFor(replicaSet.metadata?.uid ?? '');
  const mine = await claimPods(world, replicaSet);
  const active = mine.filter(isActive);
  const plan: PodPlan =
    waiting === null && !isTerminating(replicaSet)
      ? planReplicas(replicaSet, active, world.nowMs())
      : { kind: 'even' };
  const requests = { ...world, ownerResource: replicaSets, owner: replicaSet };
  const { failure } = await carryOutPods(requests, plan, () => podOf(replicaSet));
  const facts = {
    replicaSet,
    active,
    terminating: mine.filter(isTerminatingPod),
    failure: failure === null ? null : failureOf(plan, failure.error),
    nowMs: world.nowMs(),
  };
  const { client } = world;
  const status = replicaSetStatus(facts);
  await writeStatusIfChanged({ client, resource: replicaSets, object: replicaSet, status });
  if (failure !== null) return retry(failure.error);
  return nextReconcile(facts, waiting);
}

/** The outcome of a reconcile that has not failed: the time of the next one. Pure. */
export function nextReconcile(facts: ReplicaSetFacts, waiting: Waiting | null): Outcome {
  return waitFor([
    { ms: nextAvailableInMs(facts), reason: 'a pod has not been ready for long enough' },
    { ms: waiting?.ms ?? null, reason: waiting?.reason ?? '' },
  ]);
}

async function claimPods(
  { client, pods: cache }: ReplicaSetWorld,
  owner: ReplicaSet,
): Promise<readonly Pod[]> {
  // Pods that have ended are not adopted and not released.
  const candidates = candidatesFor(cache, owner).filter(
    (pod) => isActive(pod) || isTerminatingPod(pod),
  );
  return claimChildren({
    client,
    ownerResource: replicaSets,
    owner,
    resource: pods,
    candidates,
    selects: (pod) => selects(owner.spec?.selector, pod),
  });
}

function podOf(owner: ReplicaSet): Pod {
  const { namespace, name } = identityOf(owner);
  return podFromTemplate({
    namespace,
    generateName: `${name}-`,
    owner: controllerReference({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, owner),
    template: templateOf(owner),
  });
}

function failureOf(plan: PodPlan, error: unknown): ReplicaFailure {
  const reason = plan.kind === 'delete' ? 'FailedDelete' : 'FailedCreate';
  return { reason, message: errorText(error) };
}

/**
 * Decides how many pods to create, or which to delete. `active`: own pods that have not ended and are not terminating.
 */
export function planReplicas({ spec }: ReplicaSet, active: readonly Pod[], nowMs: number): PodPlan {
  const wanted = spec?.replicas ?? 1;
  const missing = wanted - active.length;
  if (missing > 0) return { kind: 'create', count: Math.min(missing, BURST) };
  if (missing === 0) return { kind: 'even' };
  const tooMany = Math.min(-missing, BURST);
  // The order matters only if some pods stay.
  const ranked = tooMany === active.length ? active : rankForDeletion(active, nowMs);
  return { kind: 'delete', pods: ranked.slice(0, tooMany) };
}

/** The status with fields that the type library lacks. */
export interface CurrentReplicaSetStatus extends ReplicaSetStatus {
  terminatingReplicas?: number;
}

interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

export interface ReplicaSetFacts {
  readonly replicaSet: ReplicaSet;
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** Failure of this reconcile; null if it succeeded. */
  readonly failure: ReplicaFailure | null;
  readonly nowMs: number;
}

/** Computes the status of a ReplicaSet from its pods. Pure. */
export function replicaSetStatus(facts: ReplicaSetFacts): CurrentReplicaSetStatus {
  const { replicaSet, active, terminating, nowMs } = facts;
  const { minReadySeconds = 0, template } = replicaSet.spec ?? {};
  const wanted = Object.entries(template?.metadata?.labels ?? {});
  const available = active.filter((pod) => availableInMs(pod, minReadySeconds, nowMs) === 0);
  const conditions = conditionsOf(facts);
  return {
    replicas: active.length,
    ...withoutZeros({
      fullyLabeledReplicas: active.filter(({ metadata }) =>
        wanted.every(([name, value]) => metadata?.labels?.[name] === value),
      ).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: available.length,
      terminatingReplicas: terminating.length,
      observedGeneration: replicaSet.metadata?.generation ?? 0,
    }),
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

/** Milliseconds until the next pod becomes available; null if no ready pod waits for minReadySeconds. */
export function nextAvailableInMs({ replicaSet, active, nowMs }: ReplicaSetFacts): number | null {
  const { minReadySeconds = 0 } = replicaSet.spec ?? {};
  const waits = active
    .map((pod) => availableInMs(pod, minReadySeconds, nowMs))
    .flatMap((ms) => (ms !== null && ms > 0 ? [ms] : []));
  return waits.length === 0 ? null : Math.min(...waits);
}

const REPLICA_FAILURE = 'ReplicaFailure';

/**
 * The conditions of the ReplicaSet. The first failure stays until a reconcile succeeds: later failures would only
 * change its text.
 */
function conditionsOf({ replicaSet, failure, nowMs }: ReplicaSetFacts): ReplicaSetCondition[] {
  const before = replicaSet.status?.conditions ?? [];
  const others = before.filter(({ type }) => type !== REPLICA_FAILURE);
  if (failure === null) return others;
  if (others.length < before.length) return before;
  const { reason, message } = failure;
  const lastTransitionTime = timeText(nowMs);
  return [
    ...others,
    { type: REPLICA_FAILURE, status: 'True', lastTransitionTime, reason, message },
  ];
}
