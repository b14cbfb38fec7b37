import { describe, expect, test } from 'vitest';

import {
  drained,
  free,
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

describe('where something goes', () => {
  const going = { deletionTimestamp: microAgo(1) };
  const lifecycleGoing = (sample: ManagedFacts): ManagedFacts => {
    sample.lifecycle.metadata = { ...sample.lifecycle.metadata, ...going };
    return sample;
  };

  test('a lifecycle that is deleted lets its Deployment go, with the replicas that are wanted', () => {
    const sample = lifecycleGoing(
      facts({ phase: 'Mid', annotations: drained, spec: { replicas: 0 } }),
    );
    expect(decide(sample)).toMatchObject(
      change({
        paused: false,
        replicas: 3,
        labelled: false,
        annotations: { 'lifehook.dev/rollout': null, 'lifehook.dev/wanted-replicas': null },
      }),
    );
  });

  test('a pause at rest is the own one of the user', () => {
    const step = decide(lifecycleGoing(facts({ phase: 'Done', annotations: free })));
    expect(step.kind === 'changeDeployment' && 'paused' in step.change).toBe(false);
  });

  test('and then it goes', () => {
    const sample = lifecycleGoing(facts({ labelled: false, annotations: {} }));
    expect(decide(sample)).toMatchObject({ kind: 'removeFinalizer' });
  });

  test('a Deployment that is deleted ends its rollout', () => {
    expect(decide({ ...facts({ phase: 'Pre' }), deployment: null })).toMatchObject(
      toPhase('Failed', { reason: 'DeploymentDeleted' }),
    );
  });

  test('another Deployment of the same name begins anew', () => {
    const sample = facts({ phase: 'Done' });
    sample.deployment.metadata = { ...sample.deployment.metadata, uid: 'another' };
    expect(decide(sample)).toMatchObject({
      kind: 'record',
      fresh: true,
      status: { deploymentUID: 'another' },
    });
  });

  test('what no lifecycle names is released, but for a moment after its creation', () => {
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

  test.each([
    ['that no lifecycle names', { lifecycle: null }],
    ['that a new lifecycle takes over', {}],
  ])('of a Deployment %s a hook pod that came late is told to go', (...[, more]) => {
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
