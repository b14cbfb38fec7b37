import { describe, expect, test } from 'vitest';

import { released } from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  microAgo,
  type SampleFacts,
  versionSet,
  versionTemplate,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { atZero, rolling } from '../../../../test/fixtures/rollout/rolling-facts.ts';
import { decideRestoring } from './decide-restoring.ts';

describe('Restoring (ROLL-E8b)', () => {
  const restoring = { phase: 'Restoring' } as const;
  const heldStep = {
    reason: 'the drained Deployment is scaled up again',
    status: { rollout: { phase: 'Held', finishedAt: microAgo(0) } },
    emits: {
      notices: [
        {
          type: 'Normal',
          reason: 'Held',
          message: 'Rollout 5 is held: its template is in the spec, but does not run.',
        },
      ],
    },
  };
  const set = (replicas: number): readonly ReturnType<typeof versionSet>[] => [
    versionSet('t1', { replicas }),
  ];

  test('first writes the old template and the replicas at once, still paused', () => {
    const facts = rolling(restoring, { ...atZero, sets: set(0) });
    expect(decideRestoring(facts)).toEqual({
      kind: 'changeDeployment',
      reason: 'the pods of the previous template are restored: 3',
      change: {
        template: released.template,
        replicas: 3,
        paused: true,
        annotations: { 'lifehook.dev/wanted-replicas': null },
      },
      emits: {},
    });
  });

  test('unpauses if the old ReplicaSet was deleted, since a paused Deployment creates none (ROLL-C14)', () => {
    expect(decideRestoring(rolling(restoring, { ...atZero, sets: [] }))).toMatchObject({
      change: { template: released.template, replicas: 3, paused: false },
    });
  });

  test('unpauses if the old ReplicaSet is deleted after the template was restored', () => {
    expect(decideRestoring(rolling(restoring, { version: 't1', sets: [] }))).toMatchObject({
      change: { paused: false },
    });
  });

  test.each<[string, SampleFacts, number]>([
    [
      'the Deployment controller has not observed the change',
      { deploymentStatus: { observedGeneration: 2 }, sets: set(3) },
      10,
    ],
    ['the ReplicaSet lacks replicas', { sets: set(1) }, 10],
    ['its pods are unavailable', { sets: [unavailable()] }, 10],
  ])('waits while %s', (_, sample, seconds) => {
    const began = { ...restoring, phaseStartedAt: microAgo(seconds) };
    expect(decideRestoring(rolling(began, { version: 't1', ...sample }))).toMatchObject({
      kind: 'waitFor',
      ms: 50_000,
    });
  });

  test('says how many pods are back while it waits, and waits for a change after the deadline', () => {
    const stepAfter = (seconds: number, sets = set(1)): object => {
      const began = { ...restoring, phaseStartedAt: microAgo(seconds) };
      return decideRestoring(rolling(began, { version: 't1', sets }));
    };
    const reason = '1 of 3 pods of the previous template are ready';
    expect(stepAfter(59)).toEqual({ kind: 'waitFor', ms: 1_000, reason });
    expect(stepAfter(60)).toEqual({ kind: 'wait', reason });
    expect(stepAfter(60, [unavailable()])).toMatchObject({ kind: 'changeDeployment' });
  });

  test('writes the old template again while a wanted count is left', () => {
    const marks = { rollout: '5', released: '4', 'wanted-replicas': '2' };
    const sample = { version: 't1', annotations: marks, sets: set(3) };
    expect(decideRestoring(rolling(restoring, sample))).toMatchObject({
      // The Deployment was scaled past the gate, and that count is newer than the wanted count (ROLL-L16).
      change: { template: released.template, replicas: 3, paused: true },
    });
    const heldAtZero = { ...sample, spec: { replicas: 0 } };
    expect(decideRestoring(rolling(restoring, heldAtZero))).toMatchObject({
      change: { template: released.template, replicas: 2, paused: true },
    });
  });

  test('counts no pods as back for an old ReplicaSet that is not made yet', () => {
    const sample = { version: 't1', sets: [], spec: { paused: false } };
    expect(decideRestoring(rolling(restoring, sample))).toMatchObject({
      kind: 'waitFor',
      reason: '0 of 3 pods of the previous template are ready',
    });
  });

  test('needs no old ReplicaSet where no replicas are wanted', () => {
    const none = { sets: [], spec: { paused: false, replicas: 0 } };
    expect(decideRestoring(rolling(restoring, { version: 't1', ...none }))).toMatchObject({
      change: { template: versionTemplate('t2'), paused: true },
    });
    expect(decideRestoring(rolling(restoring, none))).toMatchObject(heldStep);
  });

  test('enters Held if the record of the old template was taken away', () => {
    const status = { released: undefined } as never;
    expect(decideRestoring(rolling(restoring, { ...atZero, status }))).toMatchObject({
      reason: 'there is no template to restore',
      status: { rollout: { phase: 'Held' } },
      emits: { notices: [] },
    });
  });

  test('stops waiting at the deadline for pods that never become available', () => {
    const began = { ...restoring, phaseStartedAt: microAgo(61) };
    const sample = { version: 't1', sets: [unavailable()] };
    expect(decideRestoring(rolling(began, sample))).toMatchObject({ kind: 'changeDeployment' });
  });

  test('stops waiting at the deadline for a ReplicaSet that is not scaled while another has pods', () => {
    const began = { ...restoring, phaseStartedAt: microAgo(61) };
    const both = [...set(1), versionSet('t0', { replicas: 1 })];
    const sample = { version: 't1', sets: both };
    expect(decideRestoring(rolling(began, sample))).toMatchObject({ kind: 'changeDeployment' });
    expect(decideRestoring(rolling(began, { sets: both }))).toMatchObject({
      status: { rollout: { phase: 'Held' } },
    });
    const early = { ...restoring, phaseStartedAt: microAgo(59) };
    expect(decideRestoring(rolling(early, { sets: both }))).toMatchObject({
      change: { template: released.template },
    });
    const exactly = { ...restoring, phaseStartedAt: microAgo(60) };
    expect(decideRestoring(rolling(exactly, sample))).toMatchObject({ kind: 'changeDeployment' });
    const unseen = { ...sample, deploymentStatus: { observedGeneration: 2 } };
    expect(decideRestoring(rolling(began, unseen))).toMatchObject({ kind: 'wait' });
    const idle = [...set(1), versionSet('t0', { replicas: 0 })];
    for (const sets of [set(1), idle]) {
      const alone = { version: 't1', sets };
      expect(decideRestoring(rolling(began, alone))).toMatchObject({ kind: 'wait' });
    }
  });

  test('then writes the new template, paused', () => {
    const facts = rolling(restoring, { version: 't1', sets: set(3) });
    expect(decideRestoring(facts)).toEqual({
      kind: 'changeDeployment',
      reason: 'the aborted template is in the spec again, and is held',
      change: { template: facts.rollout.template, paused: true },
      emits: {},
    });
  });

  test('then enters Held', () => {
    expect(decideRestoring(rolling(restoring, { sets: set(3) }))).toMatchObject(heldStep);
  });

  test('restores again if the new template returns before the ReplicaSet has its replicas', () => {
    for (const sets of [set(0), []]) {
      expect(decideRestoring(rolling(restoring, { sets }))).toMatchObject({
        change: { template: released.template, replicas: 3, paused: sets.length > 0 },
      });
    }
  });
});

function unavailable(): ReturnType<typeof versionSet> {
  return { ...versionSet('t1', { replicas: 3 }), status: { replicas: 3, availableReplicas: 1 } };
}
