import type { Pod } from 'kubernetes-types/core/v1.js';

import { isGoing } from '../../../controller/finalizers.ts';
import { identityOf } from '../hookpod/identity.ts';
import { isGone } from '../hookpod/is-gone.ts';

export type Fence =
  | { readonly kind: 'clear' }
  | { readonly kind: 'delete'; readonly pod: Pod }
  | { readonly kind: 'waitFor'; readonly reason: string };

export interface FenceFacts {
  /** All hook pods of the Deployment, from a list of the server itself: a cache may lag behind a pod. */
  readonly pods: readonly Pod[];
  /** Of the rollout that is to begin. */
  readonly number: number;
}

/** Before a rollout begins no hook of an older one is alive (DH-18): deleted is not enough. */
export function decideFence({ pods, number }: FenceFacts): Fence {
  const alive = pods.filter((pod) => !isGone(pod) && isOlder(pod, number));
  const pod = alive.find((each) => !isGoing(each)) ?? alive[0];
  if (pod === undefined) return { kind: 'clear' };
  if (!isGoing(pod)) return { kind: 'delete', pod };
  const { name = '' } = pod.metadata ?? {};
  const where = pod.spec?.nodeName === undefined ? '' : ` on node ${pod.spec.nodeName}`;
  const { phase = 'Unknown' } = pod.status ?? {};
  const reason = `hook pod ${name} of an older rollout has not ended yet (${phase}${where})`;
  return { kind: 'waitFor', reason };
}

function isOlder(pod: Pod, number: number): boolean {
  const identity = identityOf(pod);
  return identity !== null && identity.number < number;
}
