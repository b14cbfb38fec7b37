import { describe, expect, test } from 'vitest';

import {
  machineFacts,
  type ManagedFacts,
  microAgo,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { whatFollows } from './at-deletion.ts';
import { decide } from './decide.ts';

const NO_MARKS = {
  'lifehook.dev/rollout': null,
  'lifehook.dev/released': null,
  'lifehook.dev/wanted-replicas': null,
  'lifehook.dev/retry': null,
  'lifehook.dev/abort': null,
};

function deleted(sample: ManagedFacts): ManagedFacts {
  const { lifecycle } = sample;
  const metadata = { ...lifecycle.metadata, deletionTimestamp: microAgo(1) };
  return { ...sample, lifecycle: { ...lifecycle, metadata } };
}

describe('a Deployment that stays paused after the deletion', () => {
  const left = { annotations: { rollout: '2' }, labelled: false } as const;
  const reported = { type: 'Failed', status: 'True', reason: 'LifecycleDeleted' } as const;
  const without = (sample: ManagedFacts): ReturnType<typeof decide> =>
    decide({ ...sample, lifecycle: null });

  test.each([
    ['is missing', []],
    ['is of another type', [{ ...reported, type: 'Progressing' }]],
    ['is False', [{ ...reported, status: 'False' }]],
    ['has another reason', [{ ...reported, reason: 'PreHookFailed' }]],
  ])('gets the condition Failed if it %s', (_, conditions) => {
    const sample = deleted(machineFacts({ ...left, deploymentStatus: { conditions } }));
    const message = `The DeploymentLifecycle was deleted: ${whatFollows(sample)}.`;
    expect(decide(sample)).toEqual({
      kind: 'reportDeployment',
      failure: { reason: 'LifecycleDeleted', message, at: microAgo(0) },
      reason: 'the rollout failed',
    });
  });

  test('gives the reason why it is left as it is', () => {
    expect(without(machineFacts(left))).toEqual({
      kind: 'wait',
      reason: 'it stays paused until it is resumed',
    });
    expect(without(machineFacts({ ...left, labelled: true })).reason).toBe(
      'no DeploymentLifecycle names it: without the label it can be resumed',
    );
  });

  const resumed = (sample: Parameters<typeof machineFacts>[0]): ReturnType<typeof decide> =>
    without(machineFacts({ ...left, ...sample, spec: { paused: false, ...sample?.spec } }));

  test('loses the condition Failed first when it is resumed', () => {
    expect(resumed({ deploymentStatus: { conditions: [reported] } })).toEqual({
      kind: 'reportDeployment',
      failure: null,
      reason: 'it was resumed',
    });
  });

  const wanted = { ...left.annotations, 'wanted-replicas': '3' };
  test.each<[string, object, number | undefined]>([
    ['the wanted replicas at zero', { annotations: wanted, spec: { replicas: 0 } }, 3],
    ['its own replicas above zero', { annotations: wanted }, undefined],
    ['zero replicas if none are wanted', { spec: { replicas: 0 } }, undefined],
  ])('loses our marks when it is resumed, and keeps %s', (...[, sample, replicas]) => {
    const message = 'Rollout 2 runs without its hooks: it was resumed by hand.';
    expect(resumed(sample)).toEqual({
      kind: 'changeDeployment',
      reason: message,
      change: {
        ...(replicas === undefined ? {} : { replicas }),
        annotations: NO_MARKS,
      },
      emits: { notices: [{ type: 'Normal', reason: 'Released', message }] },
    });
  });
});
