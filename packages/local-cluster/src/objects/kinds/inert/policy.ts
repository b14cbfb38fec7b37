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
import type { KindSpec } from '../kind-spec.ts';

export const podDisruptionBudget: KindSpec = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  status: true,
  inert: true,
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
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  status: true,
  inert: true,
  columns: [
    NAME,
    text('Request', (object) => usage(object, (name) => !name.startsWith('limits.'))),
    text('Limit', (object) => usage(object, (name) => name.startsWith('limits.'))),
    AGE,
  ],
};

export const limitRange: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  inert: true,
  columns: [NAME, CREATED_AT],
};

export const priorityClass: KindSpec = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  inert: true,
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
