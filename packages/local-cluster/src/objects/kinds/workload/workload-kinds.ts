/** Kinds that create pods: the groups apps and batch. */
import type { KindSpec } from '../kind-spec.ts';
import { cronJob } from './cron-job.ts';
import { controllerRevision, daemonSet, statefulSet } from './inert-sets.ts';
import { deployment } from './deployment.ts';
import { job } from './job.ts';
import { formatRequirements } from '../../selector.ts';
import { NAME, NONE, templateColumns, text, AGE, integerField, SELECTOR } from '../columns.ts';
import { textMapAt } from '../../../../../../src/kube/fields.ts';
import { REPLICA_SCALE } from './template.ts';

const STATUS_NUMBERS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];

/** The kind ReplicaSet: a number of pods of one template. */
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
  defaults: [['spec.replicas', 1]],
  template: { restartPolicies: ['Always'], withoutDeadlineIn: 'ReplicaSet' },
  newStatus: { replicas: 0 },
  rules: [
    ['nonNegative', 'spec', 'replicas', 'minReadySeconds'],
    ['selector', 'deployment'],
    ['template'],
    ['immutable', 'spec.selector'],
  ],
  statusRules: [['nonNegative', 'status', ...STATUS_NUMBERS]],
};

/** The kind PodTemplate: data for programs that create pods. */
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
  template: { path: ['template'], restartPolicies: ['Always', 'OnFailure', 'Never'] },
  rules: [['template']],
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
