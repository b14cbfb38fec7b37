/** Derives the state of a pod from its status. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

/** Whether no container of the pod is running or will run again. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isReady({ status }: Pod): boolean {
  const conditions = status?.conditions ?? [];
  return conditions.some((each) => each.type === 'Ready' && each.status === 'True');
}
