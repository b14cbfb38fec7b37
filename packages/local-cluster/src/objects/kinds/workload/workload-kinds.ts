/** What makes pods: the groups apps and batch. */
import type { KindSpec } from '../kind-spec.ts';
import { cronJob } from './cron-job.ts';
import { controllerRevision, daemonSet, statefulSet } from './inert-sets.ts';
import { deployment } from './deployment.ts';
import { job } from './job.ts';
import { formatRequirements } from '../../selector.ts';
import { NAME, NONE, templateColumns, text, AGE, integerField, SELECTOR } from '../columns.ts';
import { textMapAt, fieldsAt, fillObject } from '../../../../../../src/kube/fields.ts';
import {
  checkTemplate,
  dropGatedInTemplate,
  fillTemplate,
  checkSelector,
  SPEC_TEMPLATE,
  REPLICA_SCALE,
} from './template.ts';
import { immutable, nonNegative } from '../checks.ts';

/** Replica sets: so many pods of one template. */
const replicaSet: KindSpec = {
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

/** Templates on their own: data for programs that make pods. */
const podTemplate: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  generationOf: ['template'],
  columns: [
    NAME,
    ...templateColumns('template').map((column) => ({ ...column, priority: 0 })),
    text('Pod Labels', (object) => {
      const labels = Object.entries(textMapAt(object, 'template', 'metadata', 'labels'));
      return (
        formatRequirements(
          labels.map(([key, value]) => ({ key, operator: '=', values: [value] })),
        ) || NONE
      );
    }),
  ],
  fill(draft) {
    fillTemplate(draft, ['template']);
  },
  onCreate(draft, context) {
    dropGatedInTemplate(draft, { path: ['template'], old: undefined, context });
  },
  onUpdate(draft, old, context) {
    dropGatedInTemplate(draft, { path: ['template'], old, context });
  },
  check(object, old, context) {
    const restartPolicies = ['Always', 'OnFailure', 'Never'];
    return checkTemplate({ object, old, context, path: ['template'], restartPolicies });
  },
};

export const workloadKinds: readonly KindSpec[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
  job,
  cronJob,
  podTemplate,
];
