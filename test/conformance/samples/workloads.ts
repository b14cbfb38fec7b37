/** Kinds that create pods; here no controller acts on them. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Sample } from '../sample.ts';
import { podSpec } from './pods.ts';

const apps = { group: 'apps', version: 'v1', namespaced: true } as const;
const batch = { group: 'batch', version: 'v1', namespaced: true } as const;

const template: JsonObject = { metadata: { labels: { app: 'a' } }, spec: podSpec };
const selector: JsonObject = { matchLabels: { app: 'a' } };

/** Invalid values for all kinds with a selector and a template. */
const broken: Readonly<Record<string, JsonObject>> = {
  'no selector': { spec: { selector: null } },
  'a selector of others': { spec: { selector: { matchLabels: { app: 'b' } } } },
  'no containers': { spec: { template: { spec: { containers: [] } } } },
  'another restart policy': { spec: { template: { spec: { restartPolicy: 'Never' } } } },
};

const another: Readonly<Record<string, JsonObject>> = {
  'another selector': {
    spec: {
      selector: { matchLabels: { app: 'b' } },
      template: { metadata: { labels: { app: 'b' } } },
    },
  },
};

const deployment: Sample = {
  ...apps,
  plural: 'deployments',
  kind: 'Deployment',
  body: { spec: { replicas: 1, selector, template } },
  change: { spec: { paused: true, minReadySeconds: 3 } },
  wrongType: { spec: { replicas: 'many' } },
  invalid: {
    ...broken,
    'fewer than none': { spec: { replicas: -1 } },
    'an unknown strategy': { spec: { strategy: { type: 'Sideways' } } },
    'no movement': {
      spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    },
    'a share beyond all': {
      spec: { strategy: { rollingUpdate: { maxUnavailable: '120%' } } },
    },
    'a short deadline': { spec: { progressDeadlineSeconds: 3, minReadySeconds: 5 } },
  },
  immutable: another,
  status: {
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 1,
    conditions: [{ type: 'Tried', status: 'True', reason: 'Conformance' }],
  },
  scale: true,
  strategic: {
    recreate: { spec: { strategy: { type: 'Recreate', $retainKeys: ['type'] } } },
    'a container more': {
      spec: { template: { spec: { containers: [{ name: 'more', image: 'a' }] } } },
    },
    'a variable': {
      spec: {
        template: {
          spec: { containers: [{ name: 'main', env: [{ name: 'A', value: '1' }] }] },
        },
      },
    },
    'without the container': {
      spec: { template: { spec: { containers: [{ name: 'more', $patch: 'delete' }] } } },
    },
  },
};

const replicaSet: Sample = {
  ...apps,
  plural: 'replicasets',
  kind: 'ReplicaSet',
  body: { spec: { replicas: 1, selector, template } },
  change: { spec: { minReadySeconds: 3 } },
  wrongType: { spec: { replicas: 'many' } },
  invalid: { ...broken, 'fewer than none': { spec: { replicas: -1 } } },
  immutable: another,
  status: { replicas: 2, readyReplicas: 1 },
  scale: true,
  fieldSelectors: ['status.replicas=0', 'status.replicas=1'],
};

const statefulSet: Sample = {
  ...apps,
  plural: 'statefulsets',
  kind: 'StatefulSet',
  body: { spec: { serviceName: 'a', replicas: 1, selector, template } },
  change: { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } },
  wrongType: { spec: { replicas: 'many' } },
  invalid: { ...broken, 'fewer than none': { spec: { replicas: -1 } } },
  immutable: { ...another, 'another service': { spec: { serviceName: 'b' } } },
  status: { replicas: 1, collisionCount: 0 },
  scale: true,
};

const daemonSet: Sample = {
  ...apps,
  plural: 'daemonsets',
  kind: 'DaemonSet',
  body: { spec: { selector, template } },
  change: { spec: { minReadySeconds: 3 } },
  wrongType: { spec: { minReadySeconds: 'soon' } },
  invalid: { ...broken },
  immutable: another,
  status: {
    currentNumberScheduled: 1,
    numberMisscheduled: 0,
    desiredNumberScheduled: 1,
    numberReady: 1,
  },
};

const controllerRevision: Sample = {
  ...apps,
  plural: 'controllerrevisions',
  kind: 'ControllerRevision',
  body: { revision: 1, data: { a: 'b' } },
  change: { revision: 2 },
  wrongType: { revision: 'first' },
  invalid: { 'fewer than none': { revision: -1 } },
  immutable: { 'other data': { data: { a: 'c' } } },
};

const job: Sample = {
  ...batch,
  plural: 'jobs',
  kind: 'Job',
  body: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
  change: { spec: { parallelism: 2, activeDeadlineSeconds: 100 } },
  wrongType: { spec: { parallelism: 'many' } },
  invalid: {
    'fewer than none': { spec: { parallelism: -1 } },
    'an unknown restart policy': { spec: { template: { spec: { restartPolicy: 'Always' } } } },
    'a selector of its own': { spec: { selector } },
    'no containers': { spec: { template: { spec: { containers: [] } } } },
  },
  immutable: {
    'more completions': { spec: { completions: 5 } },
    'another template': { spec: { template: { spec: { hostname: 'other' } } } },
  },
  status: { active: 1, startTime: '2020-01-01T00:00:00Z' },
  fieldSelectors: ['status.successful=0', 'status.successful=1'],
};

const jobTemplate: JsonObject = {
  spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
};

/** Starts a Job once a year, so that no recording contains one. */
const cronJob: Sample = {
  ...batch,
  plural: 'cronjobs',
  kind: 'CronJob',
  body: { spec: { schedule: '0 0 1 1 *', jobTemplate } },
  change: { spec: { suspend: true, startingDeadlineSeconds: 100 } },
  wrongType: { spec: { suspend: 'maybe' } },
  invalid: {
    'no schedule': { spec: { schedule: '' } },
    'a schedule that is none': { spec: { schedule: 'every day' } },
    'a time zone in the schedule': { spec: { schedule: 'TZ=UTC 0 0 1 1 *' } },
    'an unknown time zone': { spec: { timeZone: 'Nowhere/Land' } },
    'an unknown concurrency': { spec: { concurrencyPolicy: 'Perhaps' } },
    'a deadline before the start': { spec: { startingDeadlineSeconds: -1 } },
    'fewer kept than none': { spec: { successfulJobsHistoryLimit: -1 } },
    'fewer pods than none': { spec: { jobTemplate: { spec: { parallelism: -1 } } } },
    'a job with a selector': { spec: { jobTemplate: { spec: { selector } } } },
    'no containers': {
      spec: { jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
    },
    'an unknown restart policy': {
      spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } },
    },
  },
  immutable: {},
  status: { lastScheduleTime: '2020-01-01T00:00:00Z' },
};

export const workloadSamples: readonly Sample[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
  job,
  cronJob,
];
