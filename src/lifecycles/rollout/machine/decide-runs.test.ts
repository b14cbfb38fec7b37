import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { ended, hookPod, running } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { facts, free, settled } from '../../../../test/fixtures/rollout/machine-cases.ts';
import { type ManagedFacts, versionSet } from '../../../../test/fixtures/rollout/machine-facts.ts';
import type { HookRun, Stage } from '../kinds.ts';
import { clearPods, dropStrays, dropSurplus, endRuns } from './decide-runs.ts';
import { decide } from './decide.ts';

const abort = { reason: 'NewRollout', message: 'rollout 6 has begun' };

function atRest(more: Partial<ManagedFacts>): ManagedFacts {
  return facts({ phase: 'Done', annotations: free, spec: { paused: false }, more });
}

function openRun(stage: Stage): HookRun {
  const { status: _, ...run } = settled(stage, 'Succeeded');
  return run;
}

/** A pod of rollout 5 whose finalizer was removed. */
const exitedPod = (stage: Stage): Pod => hookPod({ ...ended(0), number: 5, stage, held: false });

describe('the HookRuns that have to end', () => {
  const endPre = (hookRuns: readonly HookRun[], hookPods: readonly Pod[] = []): object | null =>
    endRuns({ ...facts({}), hookRuns, hookPods }, abort, ({ spec }) => spec.stage === 'pre');

  test('are settled for the reason that is given, one at a time', () => {
    expect(endPre([openRun('pre')])).toMatchObject({
      kind: 'stage',
      reason: 'rollout 6 has begun',
      step: { kind: 'settleRun', settlement: { phase: 'Aborted', reason: 'NewRollout' } },
    });
  });

  test('do not include those that the condition does not concern', () => {
    expect(endPre([openRun('post')])).toBeNull();
  });

  test('are passed over when they are settled and none of their pods is alive', () => {
    expect(endPre([settled('pre', 'Succeeded')])).toBeNull();
    const [done, open] = [settled('pre', 'Succeeded'), openRun('pre')];
    expect(endPre([done, open])).toMatchObject({ step: { kind: 'settleRun', run: open } });
  });

  test('are waited for when they are settled and a pod of theirs is alive (ROLL-DH18)', () => {
    const pod = hookPod({ ...running, number: 5, deleted: 1 });
    const name = pod.metadata?.name ?? '';
    expect(endPre([settled('pre', 'Succeeded')], [pod])).toMatchObject({
      kind: 'stage',
      step: { kind: 'wait', untilMs: null, reason: `hook pod ${name} is being stopped` },
    });
  });
});

describe('the hook pods that have to be deleted', () => {
  const clear = (hookPods: readonly Pod[], hookRuns: readonly HookRun[] = []): object | null =>
    clearPods({ ...facts({}), hookPods, hookRuns }, 'they are cleared');

  test('are none where there is no hook pod', () => {
    expect(clear([])).toBeNull();
  });

  test('lose our finalizer first, where no lifecycle keeps their record', () => {
    expect(clear([hookPod({ ...ended(0), number: 5 })])).toMatchObject({
      kind: 'stage',
      reason: 'no rollout uses the pod',
      step: { kind: 'removeFinalizer' },
    });
  });

  test('include those that have exited and are kept', () => {
    const pod = exitedPod('pre');
    expect(clear([pod])).toEqual({ kind: 'deletePod', pod, reason: 'they are cleared' });
  });

  test('are waited for while they terminate', () => {
    const pods = [1, 2].map((attempt) => hookPod({ ...running, number: 5, attempt, deleted: 1 }));
    expect(clear(pods)).toEqual({
      kind: 'waitFor',
      ms: 5_000,
      reason: '2 hook pods are being deleted',
    });
  });
});

test('a pod whose outcome its HookRun has not recorded yet is kept', () => {
  const run: HookRun = { ...settled('pre', 'Succeeded') };
  const open = { ...run, status: { ...run.status, phase: 'Running' } } as HookRun;
  const hookPods = [hookPod({ ...ended(0), number: 5 })];
  expect(dropStrays({ ...facts({}), hookPods, hookRuns: [open] }, null)).toBeNull();
});

describe('at rest', () => {
  const set = versionSet('t2', { replicas: 3, revision: 2 });

  test('the ReplicaSet of the template becomes the owner of the hook pods (ROLL-DH19)', () => {
    const pod = exitedPod('pre');
    expect(decide(atRest({ hookPods: [pod], sets: [set] }))).toMatchObject({
      kind: 'stage',
      reason: 'its ReplicaSet owns the pod',
      step: {
        kind: 'changeOwner',
        pod,
        patch: { metadata: { ownerReferences: [{ kind: 'ReplicaSet', uid: 'uid-t2' }] } },
      },
    });
  });

  test.each([
    ['the template has no ReplicaSet', { hookPods: [exitedPod('pre')] }],
    [
      'they are of another rollout',
      { hookPods: [hookPod({ ...ended(0), held: false })], sets: [set] },
    ],
  ])('the owner of the hook pods stays if %s', (_, more) => {
    expect(decide(atRest(more))).toEqual({ kind: 'wait', reason: 'nothing is rolled out' });
  });

  test('the oldest hook pod is deleted where more than podsKept are there (ROLL-DH20)', () => {
    const [pre, post] = [exitedPod('pre'), exitedPod('post')];
    expect(decide(atRest({ hookPods: [post, pre] }))).toEqual({
      kind: 'deletePod',
      pod: pre,
      reason: 'newer ones are kept',
    });
  });

  test('the HookRuns of the oldest rollouts are deleted, each by itself (ROLL-DH20)', () => {
    const runOf = (rollout: number): HookRun => {
      const run = settled('pre', 'Succeeded');
      return { ...run, spec: { ...run.spec, rollout } };
    };
    const hookRuns = Array.from({ length: 11 }, (_, index) => runOf(index + 1));
    expect(decide(atRest({ hookRuns }))).toEqual({
      kind: 'deleteRun',
      run: hookRuns[0],
      reason: 'newer ones are kept',
    });
    expect(dropSurplus(rollingAt({ hookRuns: hookRuns.slice(1) }))).toBeNull();
  });
});

function rollingAt(more: Partial<ManagedFacts>): Parameters<typeof dropSurplus>[0] {
  const sample = atRest(more);
  const { rollout } = sample.lifecycle.status ?? {};
  if (rollout === undefined) throw new Error('it has no rollout');
  return { ...sample, number: 5, rollout };
}
