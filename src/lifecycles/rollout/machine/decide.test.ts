import { describe, expect, test } from 'vitest';

import { hookPod, running } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  asks,
  type Case,
  change,
  drained,
  facts,
  free,
  rollingUpdate,
  settled,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import { machineFacts, microAgo } from '../../../../test/fixtures/rollout/machine-facts.ts';
import type { DeploymentLifecycle, HookRun, Phase } from '../kinds.ts';
import { rivalCondition } from './conditions-of.ts';
import { decide } from './decide.ts';

describe('decide, before the phase', () => {
  test('adds our finalizer first', () => {
    const sample = facts({});
    sample.lifecycle.metadata = { ...sample.lifecycle.metadata, finalizers: [] };
    expect(decide(sample)).toEqual({ kind: 'addFinalizer', reason: 'before anything else' });
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
      'writes the failure to the Deployment status (ROLL-DH14)',
      { phase: 'Held', rollout: { failure: { reason: 'X', message: 'y', at: microAgo(1) } } },
      { kind: 'reportDeployment', failure: { reason: 'X' } },
    ],
    [
      'clears the failure in the Deployment status',
      {
        phase: 'Pre',
        deploymentStatus: { conditions: [{ type: 'Failed', status: 'True', reason: 'X' }] },
      },
      { kind: 'reportDeployment', failure: null },
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
    expect(stepAt(counts)).toEqual({
      kind: 'changeDeployment',
      reason: 'it is paused at rest',
      change: { paused: true },
      emits: {},
    });
    const conditions = [
      { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' },
    ];
    const given = { ...counts, replicas: 4, conditions };
    expect(stepAt(given)).toMatchObject(change({ paused: true }));
  });

  test('leaves a Deployment that makes its old ReplicaSet again unpaused under PausedAtRest (ROLL-C14)', () => {
    const lifecycle = { gate: 'PausedAtRest' } as const;
    const sample = { lifecycle, version: 't1', sets: [], spec: { paused: false } };
    expect(decide(facts({ phase: 'Restoring', ...sample }))).toMatchObject({ kind: 'waitFor' });
  });
});

describe('decide, a younger lifecycle of the same Deployment', () => {
  const decideNextTo = (...rivals: DeploymentLifecycle[]): object =>
    decide({ ...facts({ phase: 'Done', annotations: free }), rivals });
  const atRest = { kind: 'wait', reason: 'nothing is rolled out' };
  const rivalWith = ({ status, ...metadata }: Rival): DeploymentLifecycle => {
    const { lifecycle } = machineFacts(status === undefined ? {} : { status });
    return { ...lifecycle, metadata: { ...lifecycle.metadata, ...metadata } };
  };

  test('gets the condition that it does nothing', () => {
    const rival = rivalWith({ name: 'younger' });
    expect(decideNextTo(rival)).toEqual({
      kind: 'reportRival',
      rival,
      reason: 'an older lifecycle names the same Deployment',
    });
    const other = { ...rivalCondition, lastTransitionTime: microAgo(1), observedGeneration: 1 };
    const conditions = [{ ...other, reason: 'Armed' }];
    expect(decideNextTo(rivalWith({ status: { conditions } }))).toMatchObject({
      kind: 'reportRival',
    });
  });

  test('gets the condition once', () => {
    const reported = { ...rivalCondition, lastTransitionTime: microAgo(1), observedGeneration: 1 };
    const status = { conditions: [reported] };
    expect(decideNextTo(rivalWith({ status }))).toEqual(atRest);
    const third = rivalWith({ name: 'third' });
    const next = decideNextTo(rivalWith({ status }), third);
    expect(next).toMatchObject({ kind: 'reportRival', rival: third });
  });

  test('is released when it is deleted, and left alone without our finalizer', () => {
    const deletionTimestamp = microAgo(1);
    const rival = rivalWith({ deletionTimestamp });
    const reason = 'it manages no Deployment';
    expect(decideNextTo(rival)).toEqual({ kind: 'removeFinalizer', rival, reason });
    expect(decideNextTo(rivalWith({ deletionTimestamp, finalizers: ['other'] }))).toEqual(atRest);
  });
});

interface Rival extends NonNullable<DeploymentLifecycle['metadata']> {
  readonly status?: DeploymentLifecycle['status'];
}

describe('decide, around the phase', () => {
  test('gives the reason for each step before the phase', () => {
    const reasonOf = (sample: Case): string => decide(facts(sample)).reason;
    expect([
      reasonOf({ labelled: false }),
      reasonOf({ phase: 'Done', annotations: { ...free, 'wanted-replicas': '3' } }),
      reasonOf({ phase: 'Done', annotations: free, more: { gate: null } }),
      reasonOf({ phase: 'Mid', annotations: drained, spec: { replicas: 7 } }),
      reasonOf({ version: 't1', annotations: { rollout: '4', released: '4' } }),
    ]).toEqual([
      'without the label the webhook does not receive its changes',
      'nothing holds its replicas',
      'the gate was not tested yet',
      'the 7 replicas are recorded as the wanted count: they are held',
      'nothing was rolled out yet',
    ]);
  });

  test('continues with a rollout that is gated before the gate is proven', () => {
    const sample = { phase: 'Pre', lifecycle: { rollingUpdate }, more: { gate: null } } as const;
    expect(decide(facts(sample))).toMatchObject(asks('openRun'));
  });

  test.each<[string, Phase, object]>([
    ['Restoring brings back as many pods as a user wants', 'Restoring', { replicas: 3 }],
    ['RollingBack brings back as many pods as a user wants', 'RollingBack', { replicas: 3 }],
  ])('%s, and does not scale to zero again', (...[, phase, expected]) => {
    const sample = { phase, annotations: drained, spec: { replicas: 0 } };
    expect(decide(facts(sample))).toMatchObject(change(expected));
  });

  test.each<Phase>(['Restoring', 'RollingBack'])(
    '%s keeps the replicas of a scale past the gate, which is newer than the wanted count (ROLL-L16)',
    (phase) => {
      const sample = { phase, annotations: drained, spec: { replicas: 7 } };
      expect(decide(facts(sample))).toMatchObject(change({ replicas: 7 }));
    },
  );

  test('deletes a late pod of an older number while a hook runs', () => {
    const attempts = [{ number: 1, podUID: 'uid-5-pre-1', startedAt: microAgo(5) }];
    const { status: _, ...run } = settled('pre', 'Succeeded');
    const status = { phase: 'Running', startedAt: microAgo(5), attemptCount: 1, attempts };
    const pod = hookPod({ ...running, number: 5 });
    const open = attempts.map((one) => ({ ...one, podName: pod.metadata?.name }));
    const hookRuns = [{ ...run, status: { ...status, attempts: open } } as unknown as HookRun];
    const hookPods = [pod, hookPod({ ...running, number: 4 })];
    const sample = { phase: 'Pre', lifecycle: { rollingUpdate } } as const;
    expect(decide(facts({ ...sample, more: { hookRuns, hookPods: [pod] } }))).toMatchObject({
      step: { kind: 'wait' },
    });
    expect(decide(facts({ ...sample, more: { hookRuns, hookPods } }))).toMatchObject({
      step: { kind: 'deletePod', pod: hookPods[1] },
    });
  });
});

describe('the condition Failed of the Deployment (ROLL-DH14)', () => {
  const failure = { reason: 'X', message: 'y', at: microAgo(1) };
  const stepOver = (conditions: object[], more: Case = { rollout: { failure } }): object =>
    decide(facts({ phase: 'Held', deploymentStatus: { conditions } as never, ...more }));
  const failed = { type: 'Failed', status: 'True', reason: 'X', message: 'y' };
  const step = {
    kind: 'reportDeployment',
    failure,
    reason: 'the rollout failed',
  };

  test.each([
    ['is missing', []],
    ['has another reason', [{ ...failed, reason: 'Z' }]],
    ['has another message', [{ ...failed, message: 'z' }]],
    ['is one of another type', [{ ...failed, type: 'Available' }]],
  ])('is written if it %s', (_, conditions) => {
    expect(stepOver(conditions)).toEqual(step);
  });

  test('is written once', () => {
    expect(stepOver([failed])).toMatchObject({ kind: 'wait' });
  });

  test.each([
    ['of another type', [{ ...failed, type: 'Available' }]],
    ['that is False', [{ ...failed, status: 'False' }]],
  ])('is not cleared for a condition %s', (_, conditions) => {
    expect(stepOver(conditions, {})).toMatchObject({ kind: 'wait' });
  });
});
