/** Replica sets: so many pods of one template. */
import { immutable, nonNegative } from '../checks.ts';
import { AGE, integerField, NAME, SELECTOR, templateColumns } from '../columns.ts';
import { fieldsAt, fillObject } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { REPLICA_SCALE } from './scale.ts';
import {
  checkSelector,
  checkTemplate,
  dropGatedInTemplate,
  fillTemplate,
  SPEC_TEMPLATE,
} from './template.ts';

export const replicaSet: KindSpec = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: REPLICA_SCALE,
  generationOf: ['spec'],
  columns: [
    NAME,
    integerField('Desired', 'spec', 'replicas'),
    integerField('Current', 'status', 'replicas'),
    integerField('Ready', 'status', 'readyReplicas'),
    AGE,
    ...templateColumns('spec', 'template'),
    SELECTOR,
  ],
  fill(draft) {
    fillObject(draft, 'spec')['replicas'] ??= 1;
    fillTemplate(draft, SPEC_TEMPLATE);
  },
  onCreate(draft, context) {
    dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old: undefined, context });
    draft['status'] = { replicas: 0 };
  },
  onUpdate(draft, old, context) {
    dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old, context });
  },
  check(object, old, context) {
    const spec = fieldsAt(object, 'spec');
    return [
      ...nonNegative(spec, 'spec', ['replicas', 'minReadySeconds']),
      ...checkSelector({ object, kind: 'deployment', path: SPEC_TEMPLATE }),
      ...checkTemplate({
        object,
        old,
        context,
        path: SPEC_TEMPLATE,
        restartPolicies: ['Always'],
        withoutDeadlineIn: 'ReplicaSet',
      }),
      ...(old === undefined
        ? []
        : immutable('spec.selector', spec['selector'], fieldsAt(old, 'spec')['selector'])),
    ];
  },
  checkStatus(object) {
    return nonNegative(fieldsAt(object, 'status'), 'status', [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
    ]);
  },
};
