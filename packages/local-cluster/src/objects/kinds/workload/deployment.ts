/** Deployments: a template, a number of pods, and how to get from one template to the next. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid } from '../../field-errors.ts';
import type { StrategyContext } from '../../resource-definition.ts';
import { immutable, nonNegative } from '../checks.ts';
import { AGE, NAME, SELECTOR, templateColumns, text } from '../columns.ts';
import { fieldsAt, fillObject, numberAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkCollisionCount } from './check-collision-count.ts';
import { checkDeploymentStrategy, fillDeploymentStrategy } from './deployment-strategy.ts';
import { REPLICA_SCALE } from './scale.ts';
import {
  checkSelector,
  checkTemplate,
  dropGatedInTemplate,
  fillTemplate,
  SPEC_TEMPLATE,
} from './template.ts';

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
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  status: true,
  statusKeeps: ['labels'],
  scale: REPLICA_SCALE,
  generationOf: ['spec', 'metadata.annotations'],
  columns: [
    NAME,
    text('Ready', (object) => {
      const ready = numberAt(object, 'status', 'readyReplicas') ?? 0;
      return `${ready}/${numberAt(object, 'spec', 'replicas') ?? 0}`;
    }),
    text('Up-to-date', (object) => status(object, 'updatedReplicas')),
    text('Available', (object) => status(object, 'availableReplicas')),
    AGE,
    ...templateColumns('spec', 'template'),
    SELECTOR,
  ],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    spec['replicas'] ??= 1;
    spec['revisionHistoryLimit'] ??= REVISIONS_KEPT;
    spec['progressDeadlineSeconds'] ??= PROGRESS_SECONDS;
    fillDeploymentStrategy(spec);
    fillTemplate(draft, SPEC_TEMPLATE);
  },
  onCreate(draft, context) {
    dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old: undefined, context });
  },
  onUpdate(draft, old, context) {
    dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old, context });
  },
  check: checkDeployment,
  checkStatus(object, old) {
    return [
      ...nonNegative(fieldsAt(object, 'status'), 'status', STATUS_NUMBERS),
      ...checkCollisionCount(object, old),
    ];
  },
};

function checkDeployment(
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  return [
    ...nonNegative(spec, 'spec', ['replicas']),
    ...checkSelector({ object, kind: 'deployment', path: SPEC_TEMPLATE }),
    ...checkTemplate({
      object,
      old,
      context,
      path: SPEC_TEMPLATE,
      restartPolicies: ['Always'],
      withoutDeadlineIn: 'ReplicaSet',
    }),
    ...checkDeploymentStrategy(spec),
    ...nonNegative(spec, 'spec', ['minReadySeconds', 'revisionHistoryLimit']),
    ...checkProgressDeadline(spec),
    ...(old === undefined
      ? []
      : immutable('spec.selector', spec['selector'], fieldsAt(old, 'spec')['selector'])),
  ];
}

function checkProgressDeadline(spec: JsonObject): readonly FieldError[] {
  const seconds = numberAt(spec, 'progressDeadlineSeconds');
  const ready = numberAt(spec, 'minReadySeconds') ?? 0;
  return [
    ...nonNegative(spec, 'spec', ['progressDeadlineSeconds']),
    ...(seconds !== undefined && seconds <= ready
      ? [invalid('spec.progressDeadlineSeconds', seconds, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function status(object: JsonObject, field: string): number {
  return numberAt(object, 'status', field) ?? 0;
}
