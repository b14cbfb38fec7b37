import { expect, test } from 'vitest';

import { putLabels } from './put-labels.ts';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };

test('labels of a run are on the object alone, so that the same manifests start no pod again', () => {
  const object = { kind: 'Deployment', metadata: { name: 'web' }, spec: { template } };
  expect(putLabels(object, 'id')).toEqual({
    kind: 'Deployment',
    metadata: {
      name: 'web',
      labels: { 'app.kubernetes.io/managed-by': 'lifehook', 'skaffold.dev/run-id': 'id' },
    },
    spec: { template },
  });
});

test('labels of the command line are on the object and on templates of pods, where they are not set yet', () => {
  const own = { app: 'mine', team: 'a' };
  const job = { spec: { template: { spec: { containers: [] } } } };
  const object = {
    kind: 'CronJob',
    metadata: { labels: { team: 'own' } },
    spec: { jobTemplate: job, template, volumeClaimTemplates: [{ metadata: {} }] },
  };
  const { metadata, ...rest } = putLabels(object, 'id', own);
  expect(metadata?.labels).toMatchObject({ app: 'mine', team: 'own', 'skaffold.dev/run-id': 'id' });
  expect(rest).toEqual({
    kind: 'CronJob',
    spec: {
      jobTemplate: { spec: { template: { metadata: { labels: own }, spec: { containers: [] } } } },
      template: { metadata: { labels: { app: 'web', team: 'a' } }, spec: { containers: [] } },
      volumeClaimTemplates: [{ metadata: {} }],
    },
  });
});

test('labels of the command line are on templates of pods in lists too', () => {
  const job = { name: 'a', template: { spec: { template: { spec: { containers: [] } } } } };
  const object = { kind: 'JobSet', spec: { replicatedJobs: [job] } };
  const { spec } = putLabels(object, 'id', { team: 'a' }) as { spec?: object };
  const labelled = { metadata: { labels: { team: 'a' } }, spec: { containers: [] } };
  expect(spec).toEqual({
    replicatedJobs: [{ name: 'a', template: { spec: { template: labelled } } }],
  });
});

test('a template that is not one of pods stays as it is', () => {
  const object = { kind: 'Thing', spec: { template: { metadata: { name: 'x' } } } };
  expect(putLabels(object, 'id', { a: 'b' })).toMatchObject({ spec: object.spec });
});
