/** Disruption budgets, quotas, limit ranges and priority classes: stored only. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { pathSegment } from '../../metadata-names.ts';
import {
  AGE,
  CREATED_AT,
  integer,
  integerField,
  NAME,
  text,
  textField,
  yesNo,
} from '../columns.ts';
import { at, fieldsAt, isTrue, textMapAt } from '../../../../../../src/kube/fields.ts';
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';

export const podDisruptionBudget: KindSpec = {
  ...inNamespace('policy/v1', 'PodDisruptionBudget', 'pdb'),
  status: true,
  // A real server accepts any name that is a valid path segment, and finalizers without a domain.
  nameRule: pathSegment,
  plainFinalizers: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Min Available', (object) => amount(object, 'minAvailable')),
    text('Max Unavailable', (object) => amount(object, 'maxUnavailable')),
    integerField('Allowed Disruptions', 'status', 'disruptionsAllowed'),
    AGE,
  ],
};

export const resourceQuota: KindSpec = {
  ...inNamespace('v1', 'ResourceQuota', 'quota'),
  status: true,
  columns: [
    NAME,
    text('Request', (object) => usage(object, (name) => !name.startsWith('limits.'))),
    text('Limit', (object) => usage(object, (name) => name.startsWith('limits.'))),
    AGE,
  ],
};

export const limitRange: KindSpec = {
  ...inNamespace('v1', 'LimitRange', 'limits'),
  columns: [NAME, CREATED_AT],
};

export const priorityClass: KindSpec = {
  ...inCluster('scheduling.k8s.io/v1', 'PriorityClass', 'pc'),
  generationOf: [],
  columns: [
    NAME,
    integer('Value', (object) => Number(at(object, 'value') ?? 0)),
    yesNo('Global-Default', (object) => isTrue(object, 'globalDefault')),
    AGE,
    textField('PreemptionPolicy', 'preemptionPolicy'),
  ],
  defaults: [['preemptionPolicy', 'PreemptLowerPriority']],
};

function amount(object: JsonObject, field: string): string {
  const found = at(object, 'spec', field);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : 'N/A';
}

/** Example: "requests.cpu: 0/2, pods: 1/10" */
function usage(object: JsonObject, wanted: (name: string) => boolean): string {
  const used = textMapAt(object, 'status', 'used');
  return Object.entries(textMapAt(fieldsAt(object, 'status', 'hard')))
    .filter(([name]) => wanted(name))
    .map(([name, hard]) => `${name}: ${used[name] ?? '0'}/${hard}`)
    .toSorted()
    .join(', ');
}
