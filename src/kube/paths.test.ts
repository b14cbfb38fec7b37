import { expect, it } from 'vitest';

import { podOf } from './paths.ts';

it('finds the pod of a CronJob, an empty one where it has no template, and none of a Service', () => {
  const pod = { spec: { containers: [] } };
  const path = ['spec', 'jobTemplate', 'spec', 'template'];
  const spec = { jobTemplate: { spec: { template: pod } } };
  expect(podOf({ kind: 'CronJob', spec })).toEqual({ pod, path });
  expect(podOf({ kind: 'CronJob', spec: 'none' })).toEqual({ pod: {}, path });
  expect(podOf({ kind: 'Service', spec })).toBeNull();
});

it.each(['constructor', 'toString', '__proto__'])(
  'finds no pod in an object of the kind %s',
  (kind) => {
    expect(podOf({ kind })).toBeNull();
  },
);
