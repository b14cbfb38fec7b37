import { describe, expect, test } from 'vitest';

import { free, type Case, facts, change } from '../../../../test/fixtures/rollout/machine-cases.ts';
import { machineFacts, microAgo } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';

describe('decide, before the phase', () => {
  test('adds our finalizer first', () => {
    const sample = facts({});
    sample.lifecycle.metadata = { ...sample.lifecycle.metadata, finalizers: [] };
    expect(decide(sample)).toMatchObject({ kind: 'addFinalizer' });
  });

  test('marks a younger lifecycle of the same Deployment as a rival', () => {
    const rival = machineFacts().lifecycle;
    const step = decide({ ...facts({ phase: 'Done', annotations: free }), rivals: [rival] });
    expect(step).toMatchObject({ kind: 'tellRival', rival });
  });

  test.each<[string, Case, object]>([
    ['sets a missing label', { labelled: false }, change({ labelled: true })],
    [
      'removes the wanted count at rest',
      { phase: 'Done', annotations: { ...free, 'wanted-replicas': '3' }, spec: { replicas: 0 } },
      change({ annotations: { 'lifehook.dev/wanted-replicas': null } }),
    ],
    [
      'pauses at rest under PausedAtRest',
      {
        lifecycle: { gate: 'PausedAtRest' },
        phase: 'Done',
        annotations: free,
        spec: { paused: false },
      },
      change({ paused: true }),
    ],
    [
      'proves the gate when that is unknown',
      { phase: 'Done', annotations: free, more: { gate: null } },
      { kind: 'proveGate' },
    ],
    [
      'writes the failure to the Deployment status (DH-14)',
      { phase: 'Held', rollout: { failure: { reason: 'X', message: 'y', at: microAgo(1) } } },
      { kind: 'tellDeployment', failure: { reason: 'X' } },
    ],
    [
      'clears the failure in the Deployment status',
      {
        phase: 'Pre',
        deploymentStatus: { conditions: [{ type: 'Failed', status: 'True', reason: 'X' }] },
      },
      { kind: 'tellDeployment', failure: null },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(facts(sample))).toMatchObject(step);
  });

  test('does not pause a Deployment in Progressing under PausedAtRest', () => {
    const sample = { lifecycle: { gate: 'PausedAtRest' }, annotations: free } as const;
    const step = decide(facts({ ...sample, phase: 'Progressing', spec: { paused: false } }));
    expect(step).toMatchObject({ kind: 'wait' });
  });

  test('pauses a newly managed Deployment under PausedAtRest when it is rolled out', () => {
    const lifecycle = { gate: 'PausedAtRest' } as const;
    const sample = { lifecycle, annotations: { rollout: '4', released: '4' }, version: 't1' };
    const counts = { replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
    const stepAt = (deploymentStatus: Case['deploymentStatus']): object =>
      decide(facts({ ...sample, spec: { paused: false }, deploymentStatus }));
    expect(stepAt({ ...counts, replicas: 4 })).toMatchObject({ kind: 'wait' });
    expect(stepAt(counts)).toMatchObject(change({ paused: true }));
  });
});
