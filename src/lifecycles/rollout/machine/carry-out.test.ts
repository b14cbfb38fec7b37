import { describe, expect, it } from 'vitest';

import { ActingStand } from '../../../../test/fixtures/rollout/acting-stand.ts';
import { hookPod } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { facts, settled } from '../../../../test/fixtures/rollout/machine-cases.ts';
import { type ManagedFacts, microAgo } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { DeploymentLifecycle, RolloutFailure } from '../kinds.ts';
import { LIFECYCLE_FINALIZER } from '../names.ts';
import type { MachineStep } from './step.ts';

const emits = {
  notices: [{ type: 'Normal', reason: 'Released', message: 'Rollout 5 is released.' }],
  observed: [{ type: 'PhaseEntered', number: 5, phase: 'Pre' }],
} as const;
const change: MachineStep = {
  kind: 'changeDeployment',
  reason: '',
  change: { paused: false },
  emits,
};
const record: MachineStep = {
  kind: 'record',
  reason: '',
  status: { deploymentUID: 'new' },
  emits,
};
const again = { kind: 'requeueAfter', ms: 0 };
const lookAgain = { kind: 'requeueAfter', ms: 250 };

const errorOf = (code: number, reason: string, causes: object[] = []): ApiError =>
  new ApiError(code, { reason, message: 'refused', details: { causes } });
const denied = new ApiError(422, {
  reason: 'Invalid',
  message: 'admission webhook "other.example.com" denied the request: no',
});

function deleted(sample: ManagedFacts): ManagedFacts {
  const { lifecycle } = sample;
  const metadata = { ...lifecycle.metadata, deletionTimestamp: microAgo(1) };
  return { ...sample, lifecycle: { ...lifecycle, metadata } };
}

describe('the removal of our finalizer', () => {
  const release: MachineStep = { kind: 'removeFinalizer', reason: '' };

  const withFinalizer = (sample: ManagedFacts): ManagedFacts => {
    const { lifecycle } = sample;
    const metadata = { ...lifecycle.metadata, finalizers: [LIFECYCLE_FINALIZER] };
    return { ...sample, lifecycle: { ...lifecycle, metadata } };
  };

  it('comes after the permit of its hooks is deleted: nothing deletes it later', async () => {
    const stand = new ActingStand(withFinalizer(facts({ phase: 'Done' })));
    await stand.carryOut(release);
    expect(stand.asked).toEqual([
      expect.stringMatching(/^delete configmaps shop\//u),
      expect.stringMatching(/^patch deploymentlifecycles shop\//u),
    ]);
  });

  it('of a lifecycle that was not in charge leaves the permit', async () => {
    const sample = withFinalizer(facts({ phase: 'Done' }));
    const stand = new ActingStand(sample);
    await stand.carryOut({ ...release, rival: sample.lifecycle });
    expect(stand.asked).toEqual([expect.stringMatching(/^patch deploymentlifecycles shop\//u)]);
  });
});

describe('a write to the Deployment', () => {
  it('is one JSON patch of the version that was read, and is reported after it (ROLL-E21)', async () => {
    const stand = new ActingStand(facts({ phase: 'Pre' }));
    expect(await stand.carryOut(change)).toMatchObject(again);
    expect(stand.asked).toEqual(['patch deployments shop/web']);
    expect(stand.body).toMatchObject({
      type: 'json',
      body: expect.arrayContaining([
        { op: 'test', path: '/metadata/resourceVersion', value: '7' },
        { op: 'add', path: '/spec/paused', value: false },
      ]) as unknown,
    });
    expect(stand.notes).toMatchObject([
      { ...emits.notices[0], about: { kind: 'Deployment', name: 'web' } },
    ]);
    expect(stand.observed).toEqual([
      { namespace: 'shop', deployment: 'web', ...emits.observed[0] },
    ]);
  });

  it('is decided again later if another webhook has changed it, and only that is reported (ROLL-G5)', async () => {
    const stand = new ActingStand(facts({ phase: 'Pre' }));
    stand.rewrite = ({ metadata, spec }) => ({
      metadata: { ...metadata },
      spec: { selector: {}, ...spec, template: { spec: { containers: [{ name: 'proxy' }] } } },
    });
    expect(await stand.carryOut(change)).toMatchObject({ kind: 'requeueAfter', ms: 5_000 });
    expect(stand.observed).toEqual([]);
    expect(stand.notes).toMatchObject([
      {
        type: 'Warning',
        reason: 'WriteChanged',
        message: expect.stringMatching(
          /^Another admission webhook changes Lifehook's own writes/u,
        ) as unknown,
        about: { kind: 'Deployment', name: 'web' },
      },
    ]);
  });

  it.each([
    ['a conflict', errorOf(409, 'Conflict')],
    ['a Deployment that was deleted', errorOf(404, 'NotFound')],
    ['a test of the patch that failed', errorOf(422, 'Invalid')],
  ])('is decided again after %s, and nothing is reported (ROLL-E21)', async (_, refusal) => {
    const stand = new ActingStand(facts({ phase: 'Pre' }), refusal);
    expect(await stand.carryOut(change)).toMatchObject(lookAgain);
    expect([stand.notes, stand.observed]).toEqual([[], []]);
  });

  it.each([
    ['a field that is wrong', errorOf(422, 'Invalid', [{ field: 'spec' }])],
    ['a rule', errorOf(403, 'Forbidden')],
    ['a webhook that denies it with 422', denied],
  ])('fails for %s, and reports why a deletion waits', async (_, refusal) => {
    const stand = new ActingStand(facts({ phase: 'Pre' }), refusal);
    await expect(stand.carryOut(change)).rejects.toBe(refusal);
    expect(stand.notes).toEqual([]);
    const terminating = new ActingStand(deleted(facts({ phase: 'Pre' })), refusal);
    await expect(terminating.carryOut(change)).rejects.toBe(refusal);
    expect(terminating.notes).toMatchObject([
      {
        type: 'Warning',
        reason: 'DeletionWaits',
        message: `The deleted DeploymentLifecycle waits, since its Deployment cannot be changed: ${refusal.message}. The held template stays paused. Remove the cause, or set spec.onDelete of the DeploymentLifecycle to Release.`,
      },
    ]);
  });

  it('of the condition Failed is written to its status (ROLL-DH14)', async () => {
    const failure = { reason: 'PreHookFailed', message: 'exit 1', at: microAgo(1) };
    const conditionAfter = async (reported: typeof failure | null): Promise<unknown> => {
      const stand = new ActingStand(facts({ phase: 'Held' }));
      await stand.carryOut({ kind: 'reportDeployment', failure: reported, reason: '' });
      const { type, subresource, body } = stand.body as Record<string, unknown>;
      const { status } = body as { status: { conditions: unknown[] } };
      return [type, subresource, ...status.conditions];
    };
    expect(await conditionAfter(failure)).toMatchObject([
      'strategic',
      'status',
      { type: 'Failed', status: 'True', reason: 'PreHookFailed', message: 'exit 1' },
    ]);
    expect(await conditionAfter(null)).toMatchObject([
      'strategic',
      'status',
      { status: 'False', reason: 'NotFailed', message: 'The current rollout has not failed.' },
    ]);
  });

  it('of another failure keeps the transition time of the condition Failed (CTRL-K1)', async () => {
    const sample = facts({ phase: 'Held' });
    const since = '2025-12-31T12:00:00Z';
    const condition = { type: 'Failed', status: 'True', lastTransitionTime: since };
    const status = { conditions: [condition] };
    const timeAfter = async (failure: RolloutFailure | null): Promise<unknown> => {
      const stand = new ActingStand({ ...sample, deployment: { ...sample.deployment, status } });
      await stand.carryOut({ kind: 'reportDeployment', failure, reason: '' });
      const { body } = stand.body as { body: { status: { conditions: (typeof condition)[] } } };
      return body.status.conditions[0]?.lastTransitionTime;
    };
    const failure = { reason: 'AbortedBefore', message: 'again', at: microAgo(1) };
    expect(await timeAfter(failure)).toBe(since);
    expect(await timeAfter(null)).not.toBe(since);
  });
});

describe('a record in the status', () => {
  const written = (stand: ActingStand): NonNullable<DeploymentLifecycle['status']> => {
    const { status = {} } = stand.body as DeploymentLifecycle;
    return status;
  };

  it('keeps the rest, with history and conditions, and is reported after it', async () => {
    const stand = new ActingStand(facts({ phase: 'Pre' }));
    expect(await stand.carryOut(record)).toMatchObject(again);
    expect(stand.asked).toEqual(['replaceStatus deploymentlifecycles shop/web']);
    expect(written(stand)).toMatchObject({
      deploymentUID: 'new',
      released: { number: 4 },
      rollout: { number: 5 },
      history: [{ number: 5, phases: [{ phase: 'Pre' }] }],
    });
    expect(written(stand).conditions?.map(({ type }) => type)).toEqual([
      'Armed',
      'Progressing',
      'Failed',
      'Ready',
      'Reconciling',
      'Stalled',
    ]);
    expect([stand.notes.length, stand.observed.length]).toEqual([1, 1]);
  });

  it('of a Deployment that replaces another one keeps nothing (ROLL-M1)', async () => {
    const stand = new ActingStand(facts({ phase: 'Pre' }));
    await stand.carryOut({ ...record, fresh: true });
    expect(Object.keys(written(stand)).toSorted()).toEqual([
      'conditions',
      'deploymentUID',
      'observedGeneration',
    ]);
  });

  it('says what runs although it was not released', async () => {
    const stand = new ActingStand(facts({ phase: 'Pre' }));
    await stand.carryOut({ ...record, bypass: 'ReplicaSet web-t2 runs' });
    const found = written(stand).conditions?.find(({ type }) => type === 'GateBypassed');
    expect(found).toMatchObject({ status: 'True', message: 'ReplicaSet web-t2 runs' });
  });

  it('that is refused is not reported', async () => {
    const refusal = errorOf(409, 'Conflict');
    const stand = new ActingStand(facts({ phase: 'Pre' }), refusal);
    await expect(stand.carryOut(record)).rejects.toBe(refusal);
    expect([stand.notes, stand.observed]).toEqual([[], []]);
  });

  it('of the conditions is made while it waits, but not of a deleted lifecycle', async () => {
    const stand = new ActingStand(facts({ phase: 'Pre' }));
    expect(await stand.carryOut({ kind: 'wait', reason: '' })).toEqual({ kind: 'done' });
    const waits = { kind: 'waitFor', ms: 5_000, reason: '2 pods live' } as const;
    expect(await stand.carryOut(waits)).toEqual({ ...waits, kind: 'requeueAfter' });
    expect(stand.asked).toHaveLength(2);
    const terminating = new ActingStand(deleted(facts({ phase: 'Pre' })));
    await terminating.carryOut({ kind: 'wait', reason: '' });
    expect(terminating.asked).toEqual([]);
  });
});

describe('a deletion of what is not needed any more', () => {
  const pod = hookPod();
  const run = { ...settled('pre', 'Succeeded') };
  const metadata = { ...run.metadata, uid: 'uid-run' };
  const steps: readonly MachineStep[] = [
    { kind: 'deletePod', pod, reason: '' },
    { kind: 'deleteRun', run: { ...run, metadata }, reason: '' },
  ];

  it('is of the very object that was seen, and of no other one of its name', async () => {
    const stand = new ActingStand(facts({ phase: 'Done' }));
    for (const step of steps) expect(await stand.carryOut(step)).toEqual({ kind: 'done' });
    expect(stand.requests).toEqual([
      {
        what: 'delete pods',
        key: `shop/${pod.metadata?.name ?? ''}`,
        body: { preconditions: { uid: 'uid-7-pre-1' } },
      },
      { what: 'delete hookruns', key: 'shop/run-pre', body: { preconditions: { uid: 'uid-run' } } },
    ]);
  });

  it.each([
    ['NotFound', 404, true],
    ['Conflict', 409, true],
    ['Forbidden', 403, false],
  ])('passes over %s (%d): %s', async (...[reason, code, passes]) => {
    const refusal = errorOf(code, reason);
    for (const step of steps) {
      const done = new ActingStand(facts({ phase: 'Done' }), refusal).carryOut(step);
      if (passes) expect(await done).toEqual({ kind: 'done' });
      else await expect(done).rejects.toBe(refusal);
    }
  });
});
