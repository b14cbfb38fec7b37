/** Collects the kinds of the groups apps and batch, and defines ReplicaSet and PodTemplate. */
import { unchanged } from '../interpret.ts';
import { notNegative } from '../field-checks.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { controllerRevision, daemonSet, statefulSet } from './inert-sets.ts';
import { deployment } from './deployment.ts';
import { cronJob, job } from './job.ts';
import { NAME, pairsField, templateColumns, AGE, integerField, SELECTOR } from '../columns.ts';
import { REPLICA_SCALE, selectorOf } from './template.ts';

const STATUS_NUMBERS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];

/** The kind ReplicaSet, which keeps a number of pods of one template. */
const replicaSet: KindSpec = {
  ...inNamespace('apps/v1', 'ReplicaSet', 'rs'),
  categories: ['all'],
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
  defaults: [['spec.replicas', 1]],
  template: { restartPolicies: ['Always'], withoutDeadlineIn: 'ReplicaSet' },
  newStatus: { replicas: 0 },
  rules: [
    ['spec.{replicas,minReadySeconds}', notNegative],
    selectorOf('deployment'),
    'template',
    ['spec.selector', unchanged],
  ],
  statusRules: [[`status.{${STATUS_NUMBERS.join(',')}}`, notNegative]],
};

/** The kind PodTemplate, a template that other programs may use. */
const podTemplate: KindSpec = {
  ...inNamespace('v1', 'PodTemplate'),
  generationOf: ['template'],
  columns: [
    NAME,
    ...templateColumns('template').map((column) => ({ ...column, priority: 0 })),
    pairsField('Pod Labels', 'template', 'metadata', 'labels'),
  ],
  template: { path: ['template'], restartPolicies: ['Always', 'OnFailure', 'Never'] },
  rules: ['template'],
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
