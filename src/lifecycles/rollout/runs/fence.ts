import type { Pod } from 'kubernetes-types/core/v1.js';

import { identityOf } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';

export interface FenceFacts {
  /** All hook pods of the Deployment: from the server, unless the cache has one that is alive. */
  readonly pods: readonly Pod[];
  /** Number of the rollout that is about to begin. */
  readonly number: number;
}

/**
 * Why the rollout must wait: when it begins, no hook of an older rollout may be alive (ROLL-DH18), and a deletion
 * timestamp does not prove that. null: no such hook is alive. The caller has already deleted the pods.
 */
export function fenceReason({ pods, number }: FenceFacts): string | null {
  const pod = pods.find((each) => !isFinished(each) && isOlder(each, number));
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
