import { describe, expect, test } from 'vitest';

import {
  machineFacts,
  microAgo,
  openRollout,
  releasedVersion,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import type { RolloutStatus } from '../kinds.ts';
import { abort, fail } from './decide-abort.ts';
import { decideRestoring } from './decide-restoring.ts';
import { decideRollingBack } from './decide-rolling-back.ts';
import type { Rolling } from './facts.ts';

const cause = { stage: 'mid', reason: 'MidHookFailed', message: 'exit 1' } as const;
const ROLLBACK = { lifecycle: { onAbort: 'Rollback' } } as const;
const released = releasedVersion('t1', 4);

function rolling(rollout: Partial<RolloutStatus>, sample: SampleFacts = {}): Rolling {
  const open = openRollout('t2', { number: 5, phase: 'Mid', ...rollout });
  const status = { released, rollout: open, ...sample.status };
  const facts = machineFacts({
    version: 't2',
    annotations: { rollout: '5', released: '4' },
    sets: [versionSet('t1', { replicas: 3 })],
    ...sample,
    status,
  });
  return { ...facts, number: 5, rollout: open };
}

const drained = {
  annotations: { rollout: '5', released: '4', 'wanted-replicas': '3' },
  spec: { replicas: 0 },
} as const;

describe('an abort before the release', () => {
  test.each<[string, SampleFacts, string]>([
    ['enters Held under Hold', {}, 'Held'],
    ['restores drained pods first under Hold', drained, 'Restoring'],
    ['restores a Deployment without pods under Hold', { sets: [] }, 'Restoring'],
    [
      'enters Held under Hold without restoring when no replicas are wanted',
      { sets: [], spec: { replicas: 0 } },
      'Held',
    ],
    [
      'enters Held under Hold while another ReplicaSet has pods',
      { sets: [versionSet('t0', { replicas: 1 })] },
      'Held',
    ],
    ['enters RollingBack under Rollback', { ...drained, ...ROLLBACK }, 'RollingBack'],
    [
      'enters Held for the first rollout, which has no released template',
      {
        ...ROLLBACK,
        annotations: { rollout: '5', released: '0' },
        status: { released: undefined } as never,
      },
      'Held',
    ],
  ])('%s', (_, sample, phase) => {
    expect(abort(rolling({}, sample), cause)).toMatchObject({
      kind: 'record',
      status: {
        rollout: { phase, failure: { stage: 'mid', reason: 'MidHookFailed' } },
        abortedDigests: [openRollout('t2', { number: 5, phase: 'Mid' }).digest],
      },
      telling: {
        notices: expect.arrayContaining([
          expect.objectContaining({ type: 'Warning', reason: 'Failed' }),
        ]) as unknown,
      },
    });
  });

  test('keeps the last ten digests of aborted templates', () => {
    const abortedDigests = Array.from({ length: 10 }, (_, index) => String(index));
    const step = abort(rolling({}, { status: { abortedDigests } }), cause);
    const { abortedDigests: after = [] } = step.kind === 'record' ? step.status : {};
    expect(after).toHaveLength(10);
    expect(after[0]).toBe('1');
  });
});

describe('a failure after the release', () => {
  const after = { phase: 'Post', releasedAt: microAgo(20) } as const;
  const recreate = {
    spec: { strategy: { type: 'Recreate' } },
    annotations: { rollout: '5', released: '5' },
  } as const;
  const post = { ...cause, stage: 'post', reason: 'PostHookFailed' } as const;

  test.each<[string, SampleFacts, Partial<RolloutStatus>, string]>([
    ['enters Failed under Hold', recreate, {}, 'Failed'],
    [
      'enters RollingBack under Rollback with the strategy Recreate',
      { ...recreate, ...ROLLBACK },
      {},
      'RollingBack',
    ],
    [
      'enters Failed for a rolling update (C9)',
      { ...ROLLBACK, annotations: recreate.annotations },
      {},
      'Failed',
    ],
    [
      'enters Failed for a rollback, which is not rolled back again',
      { ...recreate, ...ROLLBACK },
      { direction: 'Rollback' },
      'Failed',
    ],
  ])('%s', (...row) => {
    const [, sample, more, phase] = row;
    expect(fail(rolling({ ...after, ...more }, sample), post)).toMatchObject({
      status: { rollout: { phase, failure: { reason: 'PostHookFailed' } } },
    });
  });

  test('gives the released template the next number, gated', () => {
    const facts = rolling({ ...after, phase: 'RollingBack' }, { ...recreate, ...ROLLBACK });
    expect(decideRollingBack(facts)).toMatchObject({
      kind: 'changeDeployment',
      change: {
        template: released.template,
        paused: true,
        annotations: { 'lifehook.dev/rollout': '6' },
      },
    });
  });
});

describe('Restoring (E8b)', () => {
  const restoring = { phase: 'Restoring' } as const;
  const set = (replicas: number): readonly ReturnType<typeof versionSet>[] => [
    versionSet('t1', { replicas }),
  ];

  test('first writes the old template and the replicas at once, still paused', () => {
    const facts = rolling(restoring, { ...drained, sets: set(0) });
    expect(decideRestoring(facts)).toMatchObject({
      kind: 'changeDeployment',
      change: {
        template: released.template,
        replicas: 3,
        paused: true,
        annotations: { 'lifehook.dev/wanted-replicas': null },
      },
    });
  });

  test('unpauses if the old ReplicaSet was deleted, since a paused Deployment creates none (C14)', () => {
    expect(decideRestoring(rolling(restoring, { ...drained, sets: [] }))).toMatchObject({
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
    const unseen = { ...sample, deploymentStatus: { observedGeneration: 2 } };
    expect(decideRestoring(rolling(began, unseen))).toMatchObject({ kind: 'wait' });
    const alone = { version: 't1', sets: set(1) };
    expect(decideRestoring(rolling(began, alone))).toMatchObject({ kind: 'wait' });
  });

  test('then writes the new template, paused', () => {
    const facts = rolling(restoring, { version: 't1', sets: set(3) });
    expect(decideRestoring(facts)).toMatchObject({
      kind: 'changeDeployment',
      change: { template: facts.rollout.template, paused: true },
    });
  });

  test('then enters Held', () => {
    expect(decideRestoring(rolling(restoring, { sets: set(3) }))).toMatchObject({
      status: { rollout: { phase: 'Held', finishedAt: microAgo(0) } },
      telling: { notices: [{ reason: 'Held' }] },
    });
  });

  test('restores again if the new template returns before the ReplicaSet has its replicas', () => {
    expect(decideRestoring(rolling(restoring, { sets: set(0) }))).toMatchObject({
      change: { template: released.template, replicas: 3 },
    });
  });
});

describe('RollingBack', () => {
  const back = { phase: 'RollingBack' } as const;

  test('writes template, replicas, released number and unpause at once', () => {
    expect(decideRollingBack(rolling(back, drained))).toMatchObject({
      change: {
        template: released.template,
        paused: false,
        replicas: 3,
        annotations: { 'lifehook.dev/released': '5', 'lifehook.dev/wanted-replicas': null },
      },
    });
  });

  const written = { version: 't1', annotations: { rollout: '5', released: '5' } } as const;

  test('waits until the pods are available', () => {
    expect(decideRollingBack(rolling(back, written))).toMatchObject({ kind: 'waitFor' });
  });

  test('enters RolledBack, and records the rollout number for the old template', () => {
    const counts = { observedGeneration: 3, updatedReplicas: 3, replicas: 3, availableReplicas: 3 };
    const facts = rolling(back, { ...written, deploymentStatus: counts });
    expect(decideRollingBack(facts)).toMatchObject({
      status: { rollout: { phase: 'RolledBack' }, released: { ...released, number: 5 } },
    });
  });
});

function unavailable(): ReturnType<typeof versionSet> {
  return { ...versionSet('t1', { replicas: 3 }), status: { replicas: 3, availableReplicas: 1 } };
}
