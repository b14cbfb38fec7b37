import { describe, expect, it } from 'vitest';

import {
  containerStatus,
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import { isFinished } from './read-hook-pod.ts';

const withSidecar = (state: object): SampleHookPod => ({
  ...ended(0),
  status: {
    phase: 'Running',
    containerStatuses: [
      containerStatus('hook', ended(0).state ?? {}),
      containerStatus('proxy', state),
    ],
  },
});

const runs = containerStatus('other', { running: {} });
const beforeSidecar = { phase: 'Running', containerStatuses: [] };

describe('isDeleted', () => {
  it.each<[string, SampleHookPod, boolean]>([
    ['is false for a pending pod', {}, false],
    ['is false for a running pod', running, false],
    ['is false for a running pod that is terminating', { ...running, deleted: 100 }, false],
    [
      'is false for a running pod that is deleted by force',
      { ...running, deleted: 100, grace: 0 },
      false,
    ],
    ['is true after exit code 0', ended(0), true],
    ['is true after exit code 1', ended(1), true],
    [
      'is true after the container exited while the phase is still Running',
      { ...ended(0), status: { phase: 'Running' } },
      true,
    ],
    ['is false while a sidecar runs', withSidecar({ running: {} }), false],
    ['is true when the sidecar has exited too', withSidecar({ terminated: { exitCode: 0 } }), true],
    ['is false when the node is lost', { ...running, status: { phase: 'Unknown' } }, false],
    [
      'is false when the node is lost, whatever it has reported of the container',
      { ...ended(0), status: { phase: 'Unknown' } },
      false,
    ],
    ['is false while a sidecar has not started', withSidecar({ waiting: {} }), false],
    ['is false before the sidecar is reported', { ...ended(0), status: beforeSidecar }, false],
    [
      'is false while an init container runs',
      { ...ended(0), status: { phase: 'Running', initContainerStatuses: [runs] } },
      false,
    ],
    [
      'is false while an ephemeral container runs',
      { ...ended(0), status: { phase: 'Running', ephemeralContainerStatuses: [runs] } },
      false,
    ],
    ['is true for an evicted pod', { status: { phase: 'Failed', reason: 'Evicted' } }, true],
    [
      'is false for phase Failed while the container runs',
      { ...running, status: { phase: 'Failed' } },
      false,
    ],
    [
      'is true for phase Failed, deleted with grace 0 after its node was lost',
      { ...running, status: { phase: 'Failed' }, deleted: 9, grace: 0 },
      true,
    ],
    ['is false for an unscheduled pod', { node: null }, false],
    [
      'is true for an unscheduled pod that is deleted, since it is never scheduled',
      { node: null, deleted: 1 },
      true,
    ],
    [
      'is false for a deleted pod whose container has not started',
      { state: { waiting: {} }, deleted: 100 },
      false,
    ],
    [
      'is true for a deleted pod that has not started and has grace 0',
      { state: { waiting: {} }, deleted: 100, grace: 0 },
      true,
    ],
  ])('%s', (...[, sample, expected]) => {
    expect(isFinished(hookPod(sample))).toBe(expected);
  });

  it('is false for a pod of which no container is known', () => {
    expect(isFinished({ ...hookPod(), spec: { containers: [] } })).toBe(false);
    expect(isFinished({})).toBe(false);
    const { state: _, ...stateless } = containerStatus('hook', {});
    const status = { phase: 'Running', containerStatuses: [stateless] };
    expect(isFinished({ ...hookPod(), status })).toBe(false);
  });
});
