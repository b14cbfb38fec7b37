/** Reads fields that objects always have in practice, but that are optional in their types. */
import type { PodTemplateSpec, Pod, PodCondition } from 'kubernetes-types/core/v1.js';

import type { KubeObject } from '../../../../../src/kube/object.ts';
import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { hasEnded, isReady } from '../../../../../src/kube/pod-state.ts';

export interface Identity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export function identityOf({ metadata = {} }: KubeObject): Identity {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
  };
}

export function annotationsOf({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return metadata?.annotations ?? {};
}

export function templateOf({ spec }: { spec?: { template?: PodTemplateSpec } }): PodTemplateSpec {
  return spec?.template ?? {};
}

export function conditionsOf<T>({ status }: { status?: { conditions?: T[] } }): readonly T[] {
  return status?.conditions ?? [];
}

/** Omits optional counters that are zero, as Kubernetes writes a status. */
export function withoutZeros<T extends object>(numbers: T): Partial<T> {
  const fields = Object.entries(numbers).filter(([, value]) => value !== 0 && value !== undefined);
  return Object.fromEntries(fields) as Partial<T>;
}

/** True if the pod has not ended and is not terminating. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && !isTerminating(pod);
}

/** True if the pod is terminating and has not ended. */
export function isTerminatingPod(pod: Pod): boolean {
  return !hasEnded(pod) && isTerminating(pod);
}

function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

/** Time at which the pod became ready, in milliseconds since the epoch; null if it is not ready or reports no time. */
export function readySinceMs(pod: Pod): number | null {
  if (!isReady(pod)) return null;
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? null : since;
}

/**
 * Milliseconds until the pod is available; 0: it is available; null: not before another change. Kubernetes times are
 * whole seconds. So a pod that is ready since 10:00:00 with minReadySeconds 5 is available from 10:00:05.001 on.
 */
export function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number | null {
  if (!isReady(pod)) return null;
  if (minReadySeconds === 0) return 0;
  const since = readySinceMs(pod);
  if (since === null) return null;
  return Math.max(0, since + minReadySeconds * 1_000 + 1 - nowMs);
}

export function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
