import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { describe, expect, test } from 'vitest';

import { free } from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  microAgo,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { rolling } from '../../../../test/fixtures/rollout/rolling-facts.ts';
import type { RolloutStatus } from '../kinds.ts';
import { decideBypass } from './bypass.ts';

const pods = (replicas: number): readonly ReplicaSet[] => [versionSet('t2', { replicas })];
const reportedAs = (status: 'True' | 'False'): SampleFacts => ({
  status: {
    conditions: [
      {
        type: 'GateBypassed',
        status,
        reason: 'GateBypassed',
        message: '',
        lastTransitionTime: microAgo(1),
        observedGeneration: 1,
      },
    ],
  },
});

function bypass(sample: SampleFacts, rollout: Partial<RolloutStatus> = {}): object | null {
  return decideBypass(rolling({ phase: 'Pre', ...rollout }, sample));
}

function reported(message: string): object {
  return {
    notices: [{ type: 'Warning', reason: 'GateBypassed', message: `${message}.` }],
    observed: [{ type: 'GateBypassed', number: 5, message }],
  };
}

describe('a gated Deployment that was unpaused', () => {
  test('is paused again, and reported each time (ROLL-M2)', () => {
    const step = {
      kind: 'changeDeployment',
      reason: 'it is gated, but was no longer paused',
      change: { paused: true },
      emits: reported('the Deployment was unpaused before its release'),
    };
    expect(bypass({ spec: { paused: false } })).toEqual(step);
    expect(bypass({ spec: { paused: undefined as never }, ...reportedAs('True') })).toEqual(step);
  });

  test('may run in Restoring, where the old ReplicaSet has to be made (ROLL-C14)', () => {
    expect(bypass({ spec: { paused: false } }, { phase: 'Restoring' })).toBeNull();
  });

  test('is none while it is paused', () => {
    expect(bypass({})).toBeNull();
  });
});

describe('pods of a template that was not released', () => {
  const message = 'ReplicaSet web-t2 runs a template that was not released';
  const step = {
    kind: 'record',
    reason: message,
    status: {},
    bypass: message,
    emits: reported(message),
  };

  test('are reported', () => {
    expect(bypass({ sets: pods(1) })).toEqual(step);
    expect(bypass({ sets: pods(1), ...reportedAs('False') })).toEqual(step);
  });

  test('are reported once in a rollout', () => {
    expect(bypass({ sets: pods(1), ...reportedAs('True') })).toBeNull();
  });

  test.each<[string, SampleFacts]>([
    ['a ReplicaSet at zero replicas', { sets: pods(0) }],
    ['a ReplicaSet of another template', { sets: [versionSet('t1', { replicas: 3 })] }],
    ['a ReplicaSet of the released template', { sets: pods(3), annotations: free }],
    ['a ReplicaSet without a count', { sets: [withoutReplicas()] }],
  ])('are not those of %s', (_, sample) => {
    expect(bypass(sample)).toBeNull();
  });
});

function withoutReplicas(): ReplicaSet {
  const [set] = pods(0);
  const { replicas: _, ...spec } = set?.spec ?? { selector: {} };
  return { ...set, spec };
}
