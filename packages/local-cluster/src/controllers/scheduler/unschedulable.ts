/** The condition of a pod that fits on no node, as the scheduler of a real cluster leaves it. */
import type { Pod, PodCondition } from 'kubernetes-types/core/v1.js';

import { timeText } from '../../../../../src/controller/kube-time.ts';
import { isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { pods } from '../../../../../src/kube/resources.ts';

export interface Unschedulable {
  readonly pod: Pod;
  readonly message: string;
  readonly nowMs: number;
}

/** Writes once for the same message. */
export async function writeUnschedulable(client: KubeClient, facts: Unschedulable): Promise<void> {
  const { namespace = '', name = '' } = facts.pod.metadata ?? {};
  const condition = unschedulableCondition(facts);
  if (condition === null) return;
  const body = { status: { conditions: [condition] } };
  const options = { type: 'strategic', body, subresource: 'status' } as const;
  try {
    await client.patch(pods, { namespace, name }, options);
  } catch (error) {
    // Deleted meanwhile.
    if (!isReason(error, 'NotFound')) throw error;
  }
}

/** null: the pod has it. */
export function unschedulableCondition({ pod, message, nowMs }: Unschedulable): JsonObject | null {
  const before = conditionOf(pod);
  if (before?.message === message) return null;
  return {
    type: TYPE,
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastProbeTime: null,
    lastTransitionTime: before?.lastTransitionTime ?? timeText(nowMs),
  };
}

const TYPE = 'PodScheduled';

function conditionOf({ status }: Pod): PodCondition | undefined {
  const { conditions = [] } = status ?? {};
  return conditions.find((each) => each.type === TYPE && each.status === 'False');
}
