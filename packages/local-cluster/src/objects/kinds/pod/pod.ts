/** The pod: what the node runs. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FeatureGates } from '../../../../../../src/model/feature-gates.ts';
import type { FieldError } from '../../field-error.ts';
import type { GracefulDeletion, StrategyContext } from '../../resource-definition.ts';
import {
  fieldsAt,
  fillObject,
  isTrue,
  numberAt,
  objectAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkPodSpec } from './check-pod-spec.ts';
import { checkPodUpdate } from './check-pod-update.ts';
import { admitPod, fillPod, tolerateLostNode } from './fill-pod.ts';
import { GRACE_SECONDS } from './fill-pod-spec.ts';
import { allowsZeroSleep, dropGatedPodFields, GATED_STATUS } from './gated-pod-fields.ts';
import { podColumns } from './pod-columns.ts';
import { newPodStatus } from './pod-status.ts';
import { checkResize, narrowToResize } from './resize-pod.ts';

const GRACE = 'terminationGracePeriodSeconds';

const graceful: GracefulDeletion = {
  /** A negative grace means one second: there is no pod that is never given the time to stop. */
  defaultSeconds(pod) {
    const seconds = numberAt(pod, 'spec', GRACE) ?? GRACE_SECONDS;
    return seconds < 0 ? 1 : seconds;
  },
  immediate(pod) {
    const phase = textAt(pod, 'status', 'phase');
    return textAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed';
  },
};

export const pod: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  status: true,
  gated: GATED_STATUS,
  statusKeeps: ['ownerReferences'],
  generationOf: ['spec'],
  columns: podColumns,
  fieldSelectors: {
    'spec.nodeName': (object) => textAt(object, 'spec', 'nodeName'),
    'spec.restartPolicy': (object) => textAt(object, 'spec', 'restartPolicy'),
    'spec.schedulerName': (object) => textAt(object, 'spec', 'schedulerName'),
    'spec.serviceAccountName': (object) => textAt(object, 'spec', 'serviceAccountName'),
    'spec.hostNetwork': (object) => String(isTrue(object, 'spec', 'hostNetwork')),
    'status.phase': (object) => textAt(object, 'status', 'phase'),
    'status.podIP': (object) => textAt(object, 'status', 'podIP'),
    'status.nominatedNodeName': (object) => textAt(object, 'status', 'nominatedNodeName'),
  },
  graceful,
  resize: {
    narrow: narrowToResize,
    validate: (object, old, { gates }) => [
      ...checkSpec(object, objectAt(old, 'spec'), gates),
      ...checkResize(object, old),
    ],
  },
  fill: fillPod,
  onCreate(draft, { gates }) {
    const spec = fillObject(draft, 'spec');
    admitPod(spec);
    if ((numberAt(spec, GRACE) ?? 0) < 0) spec[GRACE] = 1;
    dropGatedPodFields(spec, undefined, gates);
    draft['status'] = newPodStatus(spec);
  },
  onUpdate(draft, old, { gates }) {
    const spec = fillObject(draft, 'spec');
    tolerateLostNode(spec);
    dropGatedPodFields(spec, objectAt(old, 'spec'), gates);
  },
  onStatusUpdate(draft, old) {
    const qosClass = textAt(old, 'status', 'qosClass');
    if (qosClass !== '') fillObject(draft, 'status')['qosClass'] = qosClass;
  },
  check: checkPod,
};

function checkPod(
  object: JsonObject,
  old: JsonObject | undefined,
  { gates }: StrategyContext,
): readonly FieldError[] {
  const errors = checkSpec(object, objectAt(old, 'spec'), gates);
  return old === undefined ? errors : [...errors, ...checkPodUpdate(object, old)];
}

function checkSpec(
  object: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): readonly FieldError[] {
  const zeroSleep = allowsZeroSleep(old, gates);
  return checkPodSpec({ spec: fieldsAt(object, 'spec'), field: 'spec', zeroSleep });
}
