/** The node: the local cluster has one, and it is the local cluster's own to write. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, NONE, text, textField, wide } from '../columns.ts';
import {
  fieldsAt,
  fillObject,
  isTrue,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkTaints } from './check-taints.ts';

const ROLE_LABEL = 'node-role.kubernetes.io/';

export const node: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  status: true,
  // InPlacePodVerticalScalingSchedulerPreemption
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
  /** What pods may use of it is all, unless it says otherwise. */
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
