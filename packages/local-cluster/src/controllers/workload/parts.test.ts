import { describe, expect, it } from 'vitest';

import { NOW_MS, samplePod } from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { availableInMs, isActive, isTerminatingPod } from './parts.ts';

describe('the time until a pod is available', () => {
  it.each<[string, number | null, number, number | null]>([
    ['not ready', null, 0, null],
    ['ready, with no minimum', 0, 0, 0],
    ['ready for 3 of 5 seconds', 3, 5, 2_001],
    ['ready for exactly 5 seconds', 5, 5, 1],
    ['ready for 6 of 5 seconds', 6, 5, 0],
  ])('%s', (_, ...[ready, minReadySeconds, ms]) => {
    expect(availableInMs(samplePod({ ready }), minReadySeconds, NOW_MS)).toBe(ms);
  });
});

it.each([
  ['Running', false, { active: true, terminating: false }],
  ['Running', true, { active: false, terminating: true }],
  ['Succeeded', true, { active: false, terminating: false }],
  ['Failed', false, { active: false, terminating: false }],
])('a pod that is %s, terminating: %s', (phase, terminating, expected) => {
  const pod = samplePod({ phase, terminating });
  expect({ active: isActive(pod), terminating: isTerminatingPod(pod) }).toEqual(expected);
});
