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

describe('a deleted lifecycle or Deployment', () => {
  const going = { deletionTimestamp: microAgo(1) };
  const lifecycleGoing = (sample: ManagedFacts): ManagedFacts => {
    sample.lifecycle.metadata = { ...sample.lifecycle.metadata, ...going };
    return sample;
  };

  test('releases the Deployment of a deleted lifecycle with the wanted replicas', () => {
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

  test('keeps the paused field of the user at rest', () => {
    const step = decide(lifecycleGoing(facts({ phase: 'Done', annotations: free })));
    expect(step.kind === 'changeDeployment' && 'paused' in step.change).toBe(false);
  });

  test('removes the finalizer of the lifecycle when its Deployment is released', () => {
    const sample = lifecycleGoing(facts({ labelled: false, annotations: {} }));
    expect(decide(sample)).toMatchObject({ kind: 'removeFinalizer' });
  });

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
