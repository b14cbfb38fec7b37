import { describe, expect, test } from 'vitest';

import {
  rollingUpdate,
  released,
  type Case,
  facts,
  settled,
  ran,
  asks,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  digestOfVersion,
  machineFacts,
  microAgo,
  openRollout,
  versionTemplate,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { samplePod } from '../../../../test/fixtures/rollout/sample-objects.ts';
import { hookPodLabels } from '../hookpod/identity.ts';
import type { HookRun, RolloutStatus } from '../kinds.ts';
import { decide } from './decide.ts';
import { fenceReason } from './decide-open.ts';
import type { MachineStep } from './step.ts';

describe('a new number', () => {
  const pod = (number: number, terminating = false): NonNullable<Case['more']> => {
    const identity = {
      deployment: 'web',
      uid: 'uid-web',
      number,
      stage: 'pre',
      attempt: 1,
    } as const;
    return { hookPods: [samplePod({ labels: hookPodLabels(identity), terminating })] };
  };

  test('is opened with its template and the released one, and reported (ROLL-M1)', () => {
    const digest = digestOfVersion('t2');
    const message = `Rollout 5 begins, with template ${digest.slice(0, 12)}.`;
    const notice = { type: 'Normal', reason: 'RolloutOpened', message };
    const at = microAgo(0);
    expect(decide(facts({ lifecycle: { rollingUpdate } }))).toStrictEqual({
      kind: 'record',
      reason: message,
      status: {
        deploymentUID: 'uid-web',
        released,
        rollout: {
          number: 5,
          phase: 'Pre',
          direction: 'Rollout',
          digest,
          template: versionTemplate('t2'),
          toRevision: '2',
          startedAt: at,
          phaseStartedAt: at,
        },
      },
      emits: {
        notices: [notice],
        observed: [
          { type: 'RolloutOpened', number: 5 },
          { type: 'PhaseEntered', number: 5, phase: 'Pre' },
        ],
      },
    });
  });

  test.each<[string, readonly HookRun[], string | null]>([
    ['that no HookRun has stays', [runOf(4)], null],
    ['that a HookRun of its own lifecycle has stays', [runOf(5, 'uid-lifecycle')], null],
    ['that a HookRun of another Deployment has stays', [runOf(5, null, 'another')], null],
    ['that a HookRun of an earlier lifecycle has is replaced', [runOf(5), runOf(7)], '8'],
    ['that a HookRun without an owner has is replaced', [runOf(5, null)], '6'],
  ])('%s (ROLL-L6)', (...[, hookRuns, expected]) => {
    const step = decide(facts({ lifecycle: { rollingUpdate }, more: { hookRuns } }));
    if (expected === null) expect(step.kind).not.toBe('changeDeployment');
    else
      expect(step).toMatchObject({
        kind: 'changeDeployment',
        reason: `it gets the number ${expected}: number 5 has HookRuns of an earlier lifecycle`,
        change: { paused: true, annotations: { 'lifehook.dev/rollout': expected } },
      });
  });

  test('says from which revision the Deployment comes, where that is known', () => {
    const sample = facts({});
    sample.lifecycle.status = {
      ...sample.lifecycle.status,
      released: { ...released, revision: '7' },
    };
    expect(rolloutOf(decide(sample))).toMatchObject({ fromRevision: '7' });
  });

  test('of the first template is opened without a released one', () => {
    const annotations = { rollout: '1', released: '0' };
    const step = decide(machineFacts({ annotations, status: {} }));
    expect(rolloutOf(step)).toMatchObject({ number: 1, toRevision: '1' });
    expect(rolloutOf(step)).not.toHaveProperty('fromRevision');
    expect(step.kind === 'record' && 'released' in step.status).toBe(false);
  });

  test('remembers a progress deadline that was exceeded before it began (ROLL-C32, ROLL-E10)', () => {
    const exceeded = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
    const conditions = [{ ...exceeded, lastUpdateTime: 'then' }];
    const step = decide(facts({ deploymentStatus: { conditions } }));
    expect(rolloutOf(step)).toMatchObject({ staleProgress: 'then' });
  });

  test('records the template that the last rollout released (ROLL-M1)', () => {
    const last = openRollout('t2', { number: 5, phase: 'Post', releasedAt: microAgo(9) });
    const sample = machineFacts({
      version: 't3',
      annotations: { rollout: '6', released: '5' },
      status: { released, rollout: last },
    });
    expect(decide(sample)).toMatchObject({
      status: { released: { number: 5, digest: digestOfVersion('t2') }, rollout: { number: 6 } },
    });
  });

  test('deletes a hook pod of an older number and waits for it (ROLL-DH18)', () => {
    expect(decide(facts({ more: pod(4) }))).toMatchObject(asks('deletePod'));
    expect(decide(facts({ more: pod(4, true) }))).toEqual({
      kind: 'waitFor',
      ms: 10_000,
      reason: 'hook pod pod of an older rollout has not ended yet (Running on node n)',
    });
  });

  test('first settles an open HookRun of an older number, with the new number as its reason', () => {
    const message = 'Rollout 5 has begun; the hook was not started.';
    expect(decide(facts(ran(openRun(4))))).toMatchObject({
      ...asks('settleRun'),
      reason: 'rollout 5 has begun',
      step: { settlement: { phase: 'Aborted', reason: 'NewRollout', message } },
    });
  });

  test('leaves a HookRun of its own number', () => {
    expect(rolloutOf(decide(facts(ran(openRun(5)))))).toMatchObject({ number: 5 });
  });
});

describe('the fence before rollout 7 (ROLL-DH18)', () => {
  const reasonOver = (...pods: SampleHookPod[]): string | null =>
    fenceReason(
      pods.map((pod) => hookPod(pod)),
      7,
    );
  const older = { ...running, number: 6, deleted: 99 };

  test.each<[string, SampleHookPod[]]>([
    ['without hook pods', []],
    ['next to a pod of this rollout', [running]],
    ['after a pod of an older rollout has exited', [{ ...ended(1), number: 6 }]],
  ])('is clear %s', (...[, pods]) => {
    expect(reasonOver(...pods)).toBeNull();
  });

  test.each<[string, SampleHookPod, string]>([
    ['that is terminating, on its node', older, 'Running on node n'],
    ['that has no node', { ...older, node: null, deleted: undefined as never }, 'Running'],
    ['of a lost node', { ...older, status: { phase: 'Unknown' } }, 'Unknown on node n'],
    ['without a phase', { ...older, status: { phase: undefined as never } }, 'Unknown on node n'],
  ])('names the pod of an older rollout %s', (...[, pod, how]) => {
    const name = hookPod(pod).metadata?.name ?? '';
    const reason = `hook pod ${name} of an older rollout has not ended yet (${how})`;
    expect(reasonOver({ ...ended(1), number: 5 }, running, pod)).toBe(reason);
  });

  test('passes over pods that are not hook pods', () => {
    const pod = { ...hookPod(older), metadata: { name: 'web-1' } };
    expect(fenceReason([pod], 7)).toBeNull();
  });
});

function openRun(rollout: number): HookRun {
  const { status: _, ...run } = runOf(rollout, 'uid-lifecycle');
  return run;
}

function rolloutOf(step: MachineStep): RolloutStatus | undefined {
  return step.kind === 'record' ? step.status.rollout : undefined;
}

/** `owner`: the UID of its lifecycle; null: it has no owner. */
function runOf(
  rollout: number,
  owner: string | null = 'uid-before',
  deploymentUID = 'uid-web',
): HookRun {
  const run = settled('pre', 'Succeeded');
  const lifecycle = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'DeploymentLifecycle' };
  const release = {
    apiVersion: 'example.org/v1',
    kind: 'Release',
    name: 'web',
    uid: 'uid-release',
  };
  const owned = { ownerReferences: [{ ...lifecycle, name: 'web', uid: owner ?? '' }, release] };
  return {
    ...run,
    metadata: { ...run.metadata, ...(owner === null ? {} : owned) },
    spec: { ...run.spec, rollout, deploymentUID },
  };
}
