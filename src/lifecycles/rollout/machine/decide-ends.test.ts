import { describe, expect, test } from 'vitest';

import {
  asks,
  drained,
  facts,
  free,
  gated,
  ran,
  settled,
  toPhase,
  change,
  released,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  machineFacts,
  type ManagedFacts,
  microAgo,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { hookPod, running } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { samplePod } from '../../../../test/fixtures/rollout/sample-objects.ts';
import { hookPodLabels } from '../hookpod/identity.ts';
import type { HookRun } from '../kinds.ts';
import { decide } from './decide.ts';

const deletedMessage = 'the Deployment was deleted';
const replacedMessage = 'the Deployment was replaced by another of the same name';
const TERMINATING = { deletionTimestamp: microAgo(1) };

function withMetadata(sample: ManagedFacts, metadata: object): ManagedFacts {
  const { deployment } = sample;
  return {
    ...sample,
    deployment: { ...deployment, metadata: { ...deployment.metadata, ...metadata } },
  };
}

function unkept(sample: ManagedFacts): ReturnType<typeof decide> {
  return decide({ ...sample, lifecycle: null });
}

/** The pre hook of rollout 5, without an attempt, of the Deployment with that UID. */
function openRun(uid: string = 'uid-web'): HookRun {
  const { status: _, ...run } = settled('pre', 'Succeeded');
  return { ...run, spec: { ...run.spec, deploymentUID: uid } };
}

describe('a Deployment that is deleted', () => {
  const without = (sample: ManagedFacts): ReturnType<typeof decide> =>
    decide({ ...sample, deployment: null });

  test('fails its open rollout, with the time of it (ROLL-M1)', () => {
    const step = without(facts({ phase: 'Pre', rollout: { fromRevision: '1' } }));
    const at = microAgo(0);
    expect(step).toMatchObject({
      kind: 'record',
      reason: deletedMessage,
      status: {
        rollout: {
          number: 5,
          phase: 'Failed',
          fromRevision: '1',
          phaseStartedAt: at,
          finishedAt: at,
          failure: { reason: 'DeploymentDeleted', message: deletedMessage, at },
        },
      },
      emits: { observed: [{ type: 'PhaseEntered', number: 5, phase: 'Failed' }] },
    });
  });

  test('fails its open rollout while the Deployment is terminating', () => {
    expect(decide(withMetadata(facts({ phase: 'Pre' }), TERMINATING))).toMatchObject(
      toPhase('Failed', { reason: 'DeploymentDeleted' }),
    );
  });

  test.each([
    ['without a rollout', facts({})],
    ['after a rollout that is over', facts({ phase: 'Done' })],
    ['after a rollout that was held', facts({ phase: 'Held' })],
  ])('waits for another Deployment of its name %s', (_, sample) => {
    expect(without(sample)).toEqual({
      kind: 'wait',
      reason: 'there is no Deployment of this name',
    });
  });

  test('first settles its open HookRuns as aborted', () => {
    expect(without(facts({ phase: 'Pre', ...ran(openRun()) }))).toMatchObject({
      kind: 'stage',
      reason: deletedMessage,
      step: {
        kind: 'settleRun',
        settlement: {
          phase: 'Aborted',
          reason: 'DeploymentDeleted',
          message: 'The Deployment was deleted; the hook was not started.',
        },
      },
    });
  });

  test('then deletes its hook pods, and waits until they have exited', () => {
    const runs = [settled('pre', 'Succeeded')];
    const stray = (deleted: boolean): ManagedFacts['hookPods'] => [
      hookPod({ ...running, number: 5, ...(deleted ? { deleted: 1 } : {}) }),
    ];
    const stepOver = (hookPods: ManagedFacts['hookPods']): object =>
      without(facts({ phase: 'Pre', more: { hookPods, hookRuns: runs } }));
    expect(stepOver(stray(false))).toMatchObject(asks('deletePod'));
    expect(stepOver(stray(true))).toMatchObject({ kind: 'stage', step: { kind: 'wait' } });
  });
});

describe('a Deployment that replaces another of its name', () => {
  const another = (sample: ManagedFacts): ReturnType<typeof decide> =>
    decide(withMetadata(sample, { uid: 'another' }));

  test('starts with a status of which nothing stays (ROLL-M1)', () => {
    expect(another(facts({ phase: 'Done' }))).toEqual({
      kind: 'record',
      fresh: true,
      reason: replacedMessage,
      status: { deploymentUID: 'another' },
      emits: {},
    });
  });

  test('is not taken for a replaced one before any Deployment is recorded', () => {
    const sample = facts({});
    const { deploymentUID: _, ...status } = sample.lifecycle.status ?? {};
    const step = another({ ...sample, lifecycle: { ...sample.lifecycle, status } });
    expect(step).toMatchObject({ kind: 'record', status: { rollout: { number: 5 } } });
  });

  test('first settles the HookRuns of the one before it, and leaves its own', () => {
    expect(another(facts({ phase: 'Pre', ...ran(openRun()) }))).toMatchObject({
      reason: replacedMessage,
      step: { kind: 'settleRun', settlement: { phase: 'Aborted', reason: 'DeploymentDeleted' } },
    });
    expect(another(facts({ phase: 'Pre', ...ran(openRun('another')) }))).toMatchObject({
      fresh: true,
    });
  });

  test('first deletes the hook pods of the one before it, and waits until they have exited', () => {
    const stepOver = (hookPods: ManagedFacts['hookPods']): object =>
      another(facts({ phase: 'Done', more: { hookPods } }));
    expect(stepOver([hookPod(running)])).toMatchObject(asks('deletePod'));
    expect(stepOver([hookPod({ ...running, deleted: 1 })])).toEqual({
      kind: 'waitFor',
      ms: 5_000,
      reason: '1 hook pod is being deleted',
    });
    const own = samplePod({ labels: { 'lifehook.dev/deployment-uid': 'another' } });
    expect(stepOver([own])).toMatchObject({ fresh: true });
  });
});

describe('a Deployment without a lifecycle', () => {
  test('releases a Deployment that no lifecycle names, after a pause for a new one', () => {
    const sample = facts({ annotations: drained });
    expect(decide({ ...sample, lifecycle: null })).toMatchObject(
      change({ paused: false, replicas: 3, annotations: { 'lifehook.dev/released': '5' } }),
    );
    sample.deployment.metadata = {
      ...sample.deployment.metadata,
      creationTimestamp: microAgo(1),
    };
    expect(decide({ ...sample, lifecycle: null })).toEqual({
      kind: 'waitFor',
      ms: 4_000,
      reason: 'its lifecycle may still be created',
    });
  });

  test('is released with a warning that says that its hooks did not run', () => {
    const message =
      'Rollout 5 is released without hooks: no DeploymentLifecycle names this Deployment.';
    expect(unkept(facts({ annotations: drained }))).toEqual({
      kind: 'changeDeployment',
      reason: message,
      change: {
        paused: false,
        replicas: 3,
        annotations: { 'lifehook.dev/released': '5', 'lifehook.dev/wanted-replicas': null },
      },
      emits: { notices: [{ type: 'Warning', reason: 'Released', message }] },
    });
  });

  test('keeps its replicas when it is released and nothing was drained (ROLL-M3)', () => {
    const step = unkept(facts({ annotations: gated }));
    expect(step.kind === 'changeDeployment' && 'replicas' in step.change).toBe(false);
  });

  test.each([
    ['is five seconds old', microAgo(5)],
    ['does not say when it was created', undefined],
  ])('is released when it %s', (_, creationTimestamp) => {
    const sample = withMetadata(facts({ annotations: gated }), { creationTimestamp });
    expect(unkept(sample)).toMatchObject(change({ paused: false }));
  });

  test.each([
    ['never got a number', facts({ annotations: {} }), 'no lifecycle names it'],
    ['is released', facts({ annotations: free }), 'no lifecycle names it'],
    [
      'is terminating',
      withMetadata(facts({ annotations: gated }), TERMINATING),
      'there is nothing',
    ],
  ])('is left alone when it %s', (...[, sample, reason]) => {
    expect(unkept(sample)).toEqual({ kind: 'wait', reason });
  });

  test('needs nothing when it is deleted', () => {
    const step = decide({ ...facts({}), lifecycle: null, deployment: null });
    expect(step).toEqual({ kind: 'wait', reason: 'there is nothing' });
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
    const late = samplePod({ labels: hookPodLabels(of), terminating: false });
    const adopted = { version: 't1', annotations: { rollout: '4', released: '4' } };
    const sample = { ...machineFacts({ ...adopted, status: { released } }), hookPods: [late] };
    expect(decide({ ...sample, ...more })).toMatchObject({
      kind: 'stage',
      step: { kind: 'deletePod', reason: 'it has no HookRun' },
    });
  });
});
