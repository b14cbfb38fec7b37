import { expect, it } from 'vitest';

import { fields, list, number, podOf, text } from './pod-of.ts';

it('counts a field of another type as absent, since nobody has validated the object', () => {
  const others = [undefined, null, 7, Number.NaN, '7', true, ['a'], { a: 1 }];
  expect(others.map(fields)).toEqual([{}, {}, {}, {}, {}, {}, {}, { a: 1 }]);
  expect(others.map(list)).toEqual([[], [], [], [], [], [], ['a'], []]);
  expect(others.map(text)).toEqual(['', '', '', '', '7', '', '', '']);
  expect(others.map(number)).toEqual([null, null, 7, null, null, null, null, null]);
});

it('finds the pod of a CronJob, an empty one where it has no template, and none of a Service', () => {
  const pod = { spec: { containers: [] } };
  const path = ['spec', 'jobTemplate', 'spec', 'template'];
  const spec = { jobTemplate: { spec: { template: pod } } };
  expect(podOf({ kind: 'CronJob', spec })).toEqual({ pod, path });
  expect(podOf({ kind: 'CronJob', spec: 'none' })).toEqual({ pod: {}, path });
  expect(podOf({ kind: 'Service', spec })).toBeNull();
});
