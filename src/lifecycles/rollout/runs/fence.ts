import type { Pod } from 'kubernetes-types/core/v1.js';

import { identityOf } from '../hookpod/identity.ts';
import { isGone } from '../hookpod/is-gone.ts';

export interface FenceFacts {
  /** All hook pods of the Deployment, from a list of the server itself: a cache may lag behind a pod. */
  readonly pods: readonly Pod[];
  /** Of the rollout that is to begin. */
  readonly number: number;
}

/**
 * Why the rollout has to wait: before it begins no hook of an older one is alive (ROLL-DH18), and deleted is not enough.
 * null: none is alive. Who asks has deleted the pods already.
 */
export function fenceReason({ pods, number }: FenceFacts): string | null {
  const pod = pods.find((each) => !isGone(each) && isOlder(each, number));
  if (pod === undefined) return null;
  const { name = '' } = pod.metadata ?? {};
  const where = pod.spec?.nodeName === undefined ? '' : ` on node ${pod.spec.nodeName}`;
  const { phase = 'Unknown' } = pod.status ?? {};
  return `hook pod ${name} of an older rollout has not ended yet (${phase}${where})`;
}

function isOlder(pod: Pod, number: number): boolean {
  const identity = identityOf(pod);
  return identity !== null && identity.number < number;
}
