import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { unschedulableCondition } from './scheduler.ts';

const nowMs = Date.parse('2026-01-01T00:00:09Z');
const message = '0/1 nodes are available: 1 Too many pods.';
const condition = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message,
  lastProbeTime: null,
  lastTransitionTime: '2026-01-01T00:00:09Z',
};

const podWith = (...conditions: readonly object[]): Pod =>
  ({ metadata: { name: 'web' }, status: { phase: 'Pending', conditions } }) as Pod;

describe('unschedulableCondition', () => {
  it('has the message of the scheduler and the time of the first refusal', () => {
    expect(unschedulableCondition({ pod: podWith(), message, nowMs })).toEqual(condition);
    const pod = podWith({ ...condition, message: 'another' });
    const later = unschedulableCondition({ pod, message, nowMs: nowMs + 5_000 });
    expect(later).toEqual(condition);
  });

  it('is null for a pod that has it with the same message', () => {
    expect(unschedulableCondition({ pod: podWith(condition), message, nowMs })).toBeNull();
  });
});
