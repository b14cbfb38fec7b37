/** Computes the whole status of a replica set from its pods. Pure. */
import type {
  ReplicaSet,
  ReplicaSetCondition,
  ReplicaSetStatus,
} from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { timeText } from '../../../../../src/controller/kube-time.ts';
import { availableInMs, isReady, withoutZeros } from '../workload/parts.ts';

/** With the fields of newer servers. */
export interface CurrentReplicaSetStatus extends ReplicaSetStatus {
  terminatingReplicas?: number;
}

export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

export interface ReplicaSetFacts {
  readonly replicaSet: ReplicaSet;
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** The failure of this reconcile; null: none. */
  readonly failure: ReplicaFailure | null;
  readonly nowMs: number;
}

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

/** Milliseconds until the next pod becomes available; null: no pod is about to. */
export function nextAvailableInMs({ replicaSet, active, nowMs }: ReplicaSetFacts): number | null {
  const { minReadySeconds = 0 } = replicaSet.spec ?? {};
  const waits = active
    .map((pod) => availableInMs(pod, minReadySeconds, nowMs))
    .flatMap((ms) => (ms !== null && ms > 0 ? [ms] : []));
  return waits.length === 0 ? null : Math.min(...waits);
}

const REPLICA_FAILURE = 'ReplicaFailure';

/** The first failure is kept until the next success: later ones would only change its text. */
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
