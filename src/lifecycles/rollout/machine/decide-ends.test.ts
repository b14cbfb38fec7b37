import { describe, expect, test } from 'vitest';

import {
  drained,
  facts,
  toPhase,
  change,
  released,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  machineFacts,
  type ManagedFacts,
  microAgo,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { samplePod } from '../../../../test/fixtures/rollout/sample-objects.ts';
import { hookPodLabels } from '../hookpod/identity.ts';
import { decide } from './decide.ts';

describe('a Deployment that is deleted, or has no lifecycle', () => {
  test('fails the rollout of a deleted Deployment', () => {
    expect(decide({ ...facts({ phase: 'Pre' }), deployment: null })).toMatchObject(
      toPhase('Failed', { reason: 'DeploymentDeleted' }),
    );
  });

  test('starts a new status for a recreated Deployment of the same name', () => {
    const sample = facts({ phase: 'Done' });
    sample.deployment.metadata = { ...sample.deployment.metadata, uid: 'another' };
    expect(decide(sample)).toMatchObject({
      kind: 'record',
      fresh: true,
      status: { deploymentUID: 'another' },
    });
  });

  test('releases a Deployment that no lifecycle names, after a pause for a new one', () => {
    const sample = facts({ annotations: drained });
    expect(decide({ ...sample, lifecycle: null })).toMatchObject(
      change({ paused: false, replicas: 3, annotations: { 'lifehook.dev/released': '5' } }),
    );
    sample.deployment.metadata = {
      ...sample.deployment.metadata,
      creationTimestamp: microAgo(1),
    };
    expect(decide({ ...sample, lifecycle: null })).toMatchObject({ kind: 'waitFor', ms: 4_000 });
  });

  const leftHeld = (labelled: boolean, paused: boolean): ManagedFacts =>
    facts({ labelled, annotations: { rollout: '2' }, spec: { paused } });

  test.each([
    ['waits while it is paused', leftHeld(false, true), { kind: 'wait' }],
    ['takes the label off', leftHeld(true, true), change({ labelled: false })],
    [
      'takes its marks off when it was resumed',
      leftHeld(false, false),
      change({ annotations: { 'lifehook.dev/rollout': null } }),
    ],
  ])(
    'of which nothing was released, and whose lifecycle was deleted, %s',
    (...[, sample, step]) => {
      expect(decide({ ...sample, lifecycle: null })).toMatchObject(step);
    },
  );

  test.each([
    ['no lifecycle names', { lifecycle: null }],
    ['a new lifecycle takes over', {}],
  ])('deletes a late hook pod of a Deployment that %s', (...[, more]) => {
    const of = { deployment: 'web', uid: 'uid-web', number: 4, stage: 'mid', attempt: 1 } as const;
    const late = samplePod({ labels: hookPodLabels(of), going: false });
    const adopted = { version: 't1', annotations: { rollout: '4', released: '4' } };
    const sample = { ...machineFacts({ ...adopted, status: { released } }), hookPods: [late] };
    expect(decide({ ...sample, ...more })).toMatchObject({
      kind: 'stage',
      step: { kind: 'deletePod', reason: 'nobody keeps its record' },
    });
  });
});
