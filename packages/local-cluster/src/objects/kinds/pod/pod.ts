/** The kind Pod: its defaults, columns, checks and deletion. */
import type { JsonObject, Json } from '../../../../../../src/kube/object.ts';
import type { FeatureGates } from '../../../../../../src/model/feature-gates.ts';
import { type FieldError, forbidden } from '../../field-error.ts';
import type {
  GracefulDeletion,
  StrategyContext,
  PrinterColumn,
} from '../../resource-definition.ts';
import {
  fieldsAt,
  fillObject,
  isTrue,
  numberAt,
  objectAt,
  textAt,
  objectsAt,
  fill,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { checkPodSpec } from './check-pod-spec.ts';
import { checkPodUpdate } from './check-pod-update.ts';
import { GRACE_SECONDS, allContainers, fillPodSpec } from './fill-pod-spec.ts';
import { allowsZeroSleep, dropGatedPodFields, GATED_STATUS } from './gated-pod-fields.ts';
import { checkResize, narrowToResize, qosClass } from './resize-pod.ts';
import { AGE, NAME, NONE, text, textOrNone, wide } from '../columns.ts';
import { podSummary } from './pod-summary.ts';

/**
 * Seconds until a pod is evicted from a lost node, in the tolerations that every pod gets. The tolerations are set on
 * pods, not on templates.
 */
const LOST_NODE_SECONDS = 300;
const LOST_NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function fillPod(pod: JsonObject): void {
  const spec = fillObject(pod, 'spec');
  spec['enableServiceLinks'] ??= true;
  fillPodSpec(spec);
  for (const container of allContainers(spec)) requestWhatIsLimited(container);
}

/** Sets the fields that admission plugins of a real server set on a new pod: account, priority and tolerations. */
function admitPod(spec: JsonObject): void {
  const account = textAt(spec, 'serviceAccountName') || 'default';
  spec['serviceAccountName'] = account;
  spec['serviceAccount'] = account;
  spec['priority'] ??= 0;
  fill(spec, 'preemptionPolicy', 'PreemptLowerPriority');
  tolerateLostNode(spec);
}

/** Adds the tolerations for a lost node. Admission adds them on update, too. */
function tolerateLostNode(spec: JsonObject): void {
  const tolerations = objectsAt(spec, 'tolerations');
  const missing = LOST_NODE_TAINTS.filter(
    (taint) => !tolerations.some((one) => covers(one, taint)),
  );
  spec['tolerations'] = [...tolerations, ...missing.map(tolerationOf)];
}

function requestWhatIsLimited(container: JsonObject): void {
  const limits = objectAt(container, 'resources', 'limits');
  if (limits === undefined) return;
  const requests = fillObject(fillObject(container, 'resources'), 'requests');
  for (const [name, amount] of Object.entries(limits)) requests[name] ??= amount;
}

function covers(toleration: JsonObject, taint: string): boolean {
  const key = textAt(toleration, 'key');
  const effect = textAt(toleration, 'effect');
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

function tolerationOf(key: string): Json {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: LOST_NODE_SECONDS };
}

/** Columns of `kubectl get pods`. */
const podColumns: readonly PrinterColumn[] = [
  NAME,
  text('Ready', (pod) => {
    const { ready, total } = podSummary(pod);
    return `${ready}/${total}`;
  }),
  text('Status', (pod) => podSummary(pod).reason),
  text('Restarts', (pod, now) => podSummary(pod).restarts(now)),
  AGE,
  wide(text('IP', (pod) => podAddress(pod) || NONE)),
  wide(textOrNone('Node', 'spec', 'nodeName')),
  wide(textOrNone('Nominated Node', 'status', 'nominatedNodeName')),
  wide(text('Readiness Gates', readinessGates)),
];

function podAddress(pod: JsonObject): string {
  const first = objectsAt(pod, 'status', 'podIPs')[0];
  return textAt(first, 'ip') || textAt(pod, 'status', 'podIP');
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates').map((gate) =>
    textAt(gate, 'conditionType'),
  );
  if (gates.length === 0) return NONE;
  const conditions = objectsAt(pod, 'status', 'conditions');
  const met = gates.filter((gate) =>
    conditions.some(
      (condition) => textAt(condition, 'type') === gate && textAt(condition, 'status') === 'True',
    ),
  );
  return `${met.length}/${gates.length}`;
}

function newPodStatus(spec: JsonObject): JsonObject {
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

const GRACE = 'terminationGracePeriodSeconds';

const graceful: GracefulDeletion = {
  /**
   * The default grace period: that of the pod. A negative one counts as one second, so that every pod gets time to
   * stop.
   */
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
  ...inNamespace('v1', 'Pod', 'po'),
  categories: ['all'],
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
    const before = textAt(old, 'status', 'qosClass');
    if (before !== '') fillObject(draft, 'status')['qosClass'] = before;
  },
  check: checkPod,
};

function checkPod(
  object: JsonObject,
  old: JsonObject | undefined,
  { gates }: StrategyContext,
): readonly FieldError[] {
  const errors = checkSpec(object, objectAt(old, 'spec'), gates);
  return [...errors, ...(old === undefined ? checkNewPod(object) : checkPodUpdate(object, old))];
}

function checkSpec(
  object: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): readonly FieldError[] {
  const zeroSleep = allowsZeroSleep(old, gates);
  return checkPodSpec({ spec: fieldsAt(object, 'spec'), field: 'spec', zeroSleep });
}

/** Checks what only a new pod must not have. */
function checkNewPod(object: JsonObject): readonly FieldError[] {
  const isGated = objectsAt(object, 'spec', 'schedulingGates').length > 0;
  const why = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(objectsAt(object, 'spec', 'ephemeralContainers').length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated && textAt(object, 'spec', 'nodeName') !== ''
      ? [forbidden('spec.nodeName', why)]
      : []),
  ];
}
