/** Defines Node, Namespace, ServiceAccount and Lease, and collects all kinds of the core group except pods. */
import { notNegative, oneOf } from '../field-checks.ts';
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';
import { configMap, secret } from './secret.ts';
import { endpoints, endpointSlice } from './endpoints.ts';
import { coreEvent, event } from './event.ts';
import { service } from './service-kind.ts';
import { checkObject, fields } from '../field-rules.ts';
import { AGE, NAME, textField, NONE, text, wide } from '../columns.ts';
import {
  fieldsAt,
  numberAt,
  fill,
  fillObject,
  textAt,
  textsAt,
  isTrue,
  objectAt,
  objectsAt,
} from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { validateFinalizerName } from '../../metadata.ts';
import { dnsLabel, labelText, qualifiedName } from '../../metadata-names.ts';
import { keepField } from '../define-kind.ts';
import { duplicate, type FieldError, invalid, invalidEach } from '../../field-error.ts';

const EFFECT = fields(['effect', oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute')]);

/** Errors of a real server name this path, although taints are in the spec. */
const FIELD = 'metadata.taints';

export function checkTaints(taints: readonly JsonObject[]): readonly FieldError[] {
  return taints.flatMap((taint, index) => {
    const field = `${FIELD}[${index}]`;
    const key = textAt(taint, 'key');
    const value = textAt(taint, 'value');
    const faults = labelText(value);
    return [
      ...invalidEach(`${field}.key`, key, qualifiedName(key)),
      ...(faults.length === 0 ? [] : [invalid(`${field}.value`, value, faults.join(';'))]),
      ...checkObject(EFFECT, taint, { field, scope: {} }),
      ...(taints.slice(0, index).some((earlier) => isSame(earlier, taint))
        ? [{ ...duplicate(field, taint), detail: 'taints must be unique by key and effect pair' }]
        : []),
    ];
  });
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return ['key', 'effect'].every((name) => textAt(one, name) === textAt(other, name));
}

const ROLE_LABEL = 'node-role.kubernetes.io/';

const node: KindSpec = {
  ...inCluster('v1', 'Node', 'no'),
  status: true,
  // Fields of the feature gate InPlacePodVerticalScalingSchedulerPreemption, which is off.
  gated: [['spec.podPreemptionPolicy']],
  columns: [
    NAME,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    AGE,
    textField('Version', 'status', 'nodeInfo', 'kubeletVersion'),
    wide(text('Internal-IP', (object) => address(object, 'InternalIP'))),
    wide(text('External-IP', (object) => address(object, 'ExternalIP'))),
    wide(nodeInfo('OS-Image', 'osImage')),
    wide(nodeInfo('Kernel-Version', 'kernelVersion')),
    wide(nodeInfo('Container-Runtime', 'containerRuntimeVersion')),
  ],
  fieldSelectors: {
    'spec.unschedulable': (object) => String(isTrue(object, 'spec', 'unschedulable')),
  },
  /** status.allocatable defaults to status.capacity. */
  fill(draft) {
    const status = fillObject(draft, 'status');
    const capacity = objectAt(status, 'capacity');
    if (capacity !== undefined) status['allocatable'] ??= structuredClone(capacity);
  },
  check: (object) => checkTaints(objectsAt(object, 'spec', 'taints')),
};

function nodeStatus(object: JsonObject): string {
  const ready = objectsAt(object, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === 'Ready',
  );
  const status = textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  const known = ready === undefined ? 'Unknown' : status;
  return isTrue(object, 'spec', 'unschedulable') ? `${known},SchedulingDisabled` : known;
}

function nodeRoles(object: JsonObject): string {
  const roles = Object.entries(fieldsAt(object, 'metadata', 'labels')).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_LABEL)) return [key.slice(ROLE_LABEL.length)];
    return key === 'kubernetes.io/role' && typeof value === 'string' ? [value] : [];
  });
  return (
    roles
      .filter((role) => role !== '')
      .toSorted()
      .join(',') || NONE
  );
}

function address(object: JsonObject, type: string): string {
  const found = objectsAt(object, 'status', 'addresses').find(
    (entry) => textAt(entry, 'type') === type,
  );
  return textAt(found, 'address') || NONE;
}

function nodeInfo(name: string, field: string): ReturnType<typeof text> {
  return text(name, (object) => textAt(object, 'status', 'nodeInfo', field) || '<unknown>');
}

/** Finalizer that keeps a Namespace until its content is deleted. */
const FINALIZER = 'kubernetes';
const FINALIZERS = 'spec.finalizers';
const NAME_LABEL = 'kubernetes.io/metadata.name';

const namespace: KindSpec = {
  ...inCluster('v1', 'Namespace', 'ns'),
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  status: true,
  nameRule: dnsLabel,
  columns: [NAME, textField('Status', 'status', 'phase'), AGE],
  fieldSelectors: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  fill(draft) {
    labelWithName(draft);
    fill(fillObject(draft, 'status'), 'phase', 'Active');
  },
  onCreate(draft) {
    labelWithName(draft);
    draft['status'] = { phase: 'Active' };
    const spec = fillObject(draft, 'spec');
    const finalizers = textsAt(spec, 'finalizers');
    if (!finalizers.includes(FINALIZER)) spec['finalizers'] = [...finalizers, FINALIZER];
  },
  /** spec.finalizers changes only through the subresource `finalize`. */
  onUpdate(draft, old) {
    keepField(fillObject(draft, 'spec'), fieldsAt(old, 'spec'), 'finalizers');
  },
  check: (object) =>
    textsAt(object, 'spec', 'finalizers').flatMap((name) =>
      validateFinalizerName(name, FINALIZERS),
    ),
};

/**
 * Sets the label with the namespace's name. It is set twice, because a generated name is not known when defaults are
 * set.
 */
function labelWithName(draft: JsonObject): void {
  const metadata = fillObject(draft, 'metadata');
  const name = textAt(metadata, 'name');
  if (name !== '') fillObject(metadata, 'labels')[NAME_LABEL] = name;
}

/** The kind ServiceAccount. Only its name matters, because every user may do everything in the local cluster. */
const serviceAccount: KindSpec = {
  ...inNamespace('v1', 'ServiceAccount', 'sa'),
  columns: [NAME, AGE],
};

/** The kind Lease: the current leader, and the time until which it leads. */
const lease: KindSpec = {
  ...inNamespace('coordination.k8s.io/v1', 'Lease'),
  plainFinalizers: true,
  // Fields of the feature gate CoordinatedLeaderElection, which is off.
  gated: [['spec.strategy', 'spec.preferredHolder']],
  columns: [NAME, textField('Holder', 'spec', 'holderIdentity'), AGE],
  rules: [
    (object) => {
      const seconds = numberAt(object, 'spec', 'leaseDurationSeconds') ?? 1;
      const why = 'must be greater than 0';
      return seconds > 0 ? [] : [invalid('spec.leaseDurationSeconds', seconds, why)];
    },
    ['spec.leaseTransitions', notNegative],
  ],
};

export const coreKinds: readonly KindSpec[] = [
  namespace,
  node,
  service,
  endpoints,
  configMap,
  secret,
  serviceAccount,
  coreEvent,
  lease,
  endpointSlice,
  event,
];
