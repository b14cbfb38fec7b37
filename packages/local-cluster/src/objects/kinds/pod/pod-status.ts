/** The status a pod starts with. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { objectsAt } from '../../../../../../src/kube/fields.ts';
import { qosClass } from './qos-class.ts';

export function newPodStatus(spec: JsonObject): JsonObject {
  const gated = objectsAt(spec, 'schedulingGates').length > 0;
  return {
    phase: 'Pending',
    qosClass: qosClass(spec),
    ...(gated ? { conditions: [SCHEDULING_GATED] } : {}),
  };
}

const SCHEDULING_GATED = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};
