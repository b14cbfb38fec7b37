/** The kind Deployment and the checks of its update strategy. */
import { unchanged } from '../interpret.ts';
import { notNegative, amountOrPercent, percentOf } from '../field-checks.ts';
import type { JsonObject, Json } from '../../../../../../src/kube/object.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../field-error.ts';
import { AGE, NAME, READY_REPLICAS, SELECTOR, templateColumns, text } from '../columns.ts';
import {
  fieldsAt,
  numberAt,
  type Field,
  objectAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { REPLICA_SCALE, selectorOf } from './template.ts';

/** Default of maxSurge and maxUnavailable. */
const QUARTER = '25%';

const ROLLING = ['spec.strategy.type', 'RollingUpdate'] as const;

function checkDeploymentStrategy(spec: JsonObject): readonly FieldError[] {
  const field = 'spec.strategy';
  const rolling = objectAt(spec, 'strategy', 'rollingUpdate');
  const type = textAt(spec, 'strategy', 'type');
  switch (type) {
    case 'Recreate':
      return rolling === undefined
        ? []
        : [
            forbidden(
              `${field}.rollingUpdate`,
              "may not be specified when strategy `type` is 'Recreate'",
            ),
          ];
    case 'RollingUpdate':
      return rolling === undefined
        ? [required(`${field}.rollingUpdate`, 'this should be defaulted and never be nil')]
        : checkRolling(rolling, `${field}.rollingUpdate`);
    default:
      return [notSupported(field, spec['strategy'], ['Recreate', 'RollingUpdate'])];
  }
}

function checkRolling(rolling: JsonObject, field: string): readonly FieldError[] {
  const unavailable = rolling['maxUnavailable'];
  return [
    ...amountOrPercent(`${field}.maxUnavailable`, unavailable),
    ...amountOrPercent(`${field}.maxSurge`, rolling['maxSurge']),
    ...(isNothing(unavailable) && isNothing(rolling['maxSurge'])
      ? [invalid(`${field}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...notAboveAll(`${field}.maxUnavailable`, unavailable),
  ];
}

function notAboveAll(field: string, value: Field): readonly FieldError[] {
  return (percentOf(value) ?? 0) > 100
    ? [invalid(field, value, 'must not be greater than 100%')]
    : [];
}

function isNothing(value: Json | undefined): boolean {
  return value === 0 || percentOf(value) === 0;
}

/** The collision count of the pod template hash may only grow. */
export function checkCollisionCount(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const [count, before] = [object, old].map((each) => numberAt(each, 'status', 'collisionCount'));
  if (before === undefined || (count !== undefined && count >= before)) return [];
  return [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')];
}

const REVISIONS_KEPT = 10;
const PROGRESS_SECONDS = 600;
const STATUS_NUMBERS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
];

export const deployment: KindSpec = {
  ...inNamespace('apps/v1', 'Deployment', 'deploy'),
  categories: ['all'],
  status: true,
  statusKeeps: ['labels'],
  scale: REPLICA_SCALE,
  generationOf: ['spec', 'metadata.annotations'],
  columns: [
    NAME,
    READY_REPLICAS,
    text('Up-to-date', (object) => status(object, 'updatedReplicas')),
    text('Available', (object) => status(object, 'availableReplicas')),
    AGE,
    ...templateColumns('spec', 'template'),
    SELECTOR,
  ],
  defaults: [
    ['spec.replicas', 1],
    ['spec.revisionHistoryLimit', REVISIONS_KEPT],
    ['spec.progressDeadlineSeconds', PROGRESS_SECONDS],
    ['spec.strategy.type', 'RollingUpdate'],
    ['spec.strategy.rollingUpdate.maxUnavailable', QUARTER, ROLLING],
    ['spec.strategy.rollingUpdate.maxSurge', QUARTER, ROLLING],
  ],
  template: { restartPolicies: ['Always'], withoutDeadlineIn: 'ReplicaSet' },
  rules: [
    ['spec.replicas', notNegative],
    selectorOf('deployment'),
    'template',
    (object) => checkDeploymentStrategy(fieldsAt(object, 'spec')),
    ['spec.{minReadySeconds,revisionHistoryLimit,progressDeadlineSeconds}', notNegative],
    (object) => checkProgressDeadline(fieldsAt(object, 'spec')),
    ['spec.selector', unchanged],
  ],
  statusRules: [[`status.{${STATUS_NUMBERS.join(',')}}`, notNegative], checkCollisionCount],
};

function checkProgressDeadline(spec: JsonObject): readonly FieldError[] {
  const seconds = numberAt(spec, 'progressDeadlineSeconds');
  const ready = numberAt(spec, 'minReadySeconds') ?? 0;
  return seconds !== undefined && seconds <= ready
    ? [invalid('spec.progressDeadlineSeconds', seconds, 'must be greater than minReadySeconds')]
    : [];
}

function status(object: JsonObject, field: string): number {
  return numberAt(object, 'status', field) ?? 0;
}
