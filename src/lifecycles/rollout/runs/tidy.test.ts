import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  ended,
  hookPod,
  running,
  type SampleHookPod,
  web,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import { attempt, open, sampleRun } from '../../../../test/fixtures/rollout/sample-stage.ts';
import { ownerOf } from '../hookpod/owner.ts';
import type { StageStep } from './stage.ts';
import { adoptions, deletion, release, tidyStep } from './tidy.ts';

const kinds = (steps: readonly StageStep[]): string[] => steps.map(({ kind }) => kind);
const running7 = sampleRun({ attempts: [attempt(1, 'Failed'), open(2)] });

describe('release', () => {
  const go = (pod: SampleHookPod, openNumber: number | null = 7): string[] =>
    kinds(release({ pods: [hookPod(pod)], runs: [running7], openNumber }));

  it.each<[string, SampleHookPod, string[]]>([
    ['keeps the pod of an open attempt', { ...running, attempt: 2 }, []],
    ['keeps an exited pod whose outcome is not recorded', { ...ended(0), attempt: 2 }, []],
    ['releases a pod whose outcome is recorded', ended(1), ['removeFinalizer']],
    ['ignores a released pod', { ...ended(1), held: false }, []],
    ['deletes a recorded pod whose sidecar runs', running, ['deletePod']],
    ['ignores a terminating pod with a sidecar', { ...running, deleted: 3 }, []],
    ['keeps a pod of the open rollout without a HookRun', { ...running, stage: 'mid' }, []],
    [
      'deletes a running pod of another rollout without a HookRun',
      { ...running, number: 6 },
      ['deletePod'],
    ],
    [
      'releases an exited pod of another rollout without a HookRun',
      { ...ended(0), number: 6 },
      ['removeFinalizer'],
    ],
  ])('%s', (...[, pod, expected]) => {
    expect(go(pod)).toEqual(expected);
  });

  it('deletes a pod without HookRun and open rollout', () => {
    expect(go({ ...running, stage: 'mid' }, null)).toEqual(['deletePod']);
  });

  it('says why it deletes a pod', () => {
    const reasonFor = (pod: SampleHookPod): object[] =>
      release({ pods: [hookPod(pod)], runs: [running7], openNumber: 7 });
    expect(reasonFor(running)).toMatchObject([{ reason: 'its outcome is recorded' }]);
    expect(reasonFor({ ...running, number: 6 })).toMatchObject([{ reason: 'it has no HookRun' }]);
  });

  it('removes no finalizer of another program', () => {
    const { metadata, ...rest } = hookPod(ended(1));
    const releaseWith = (finalizers: string[]): string[] => {
      const pods = [{ metadata: { ...metadata, finalizers }, ...rest }];
      return kinds(release({ pods, runs: [running7], openNumber: 7 }));
    };
    expect(releaseWith(['other'])).toEqual([]);
    expect(releaseWith(['other', 'lifehook.dev/hook-run'])).toEqual(['removeFinalizer']);
  });

  it('ignores pods that are not hook pods', () => {
    expect(release({ pods: [{ metadata: { name: 'x' } }], runs: [], openNumber: null })).toEqual(
      [],
    );
  });
});

describe('the pods of one HookRun', () => {
  const steps = (...pods: SampleHookPod[]): (string | undefined)[] => {
    const all = pods.map((pod) => hookPod(pod));
    return [tidyStep(running7, all), deletion(running7, all)].map((step) => step?.kind);
  };

  it.each<[string, SampleHookPod[], (string | undefined)[]]>([
    ['are left while their attempt is open', [{ ...running, attempt: 2 }], [undefined, undefined]],
    ['are released when they have exited', [ended(1)], ['removeFinalizer', undefined]],
    ['are deleted when a sidecar runs', [running], ['deletePod', 'deletePod']],
    ['are left when they are of another run', [{ ...ended(1), number: 6 }], [undefined, undefined]],
    ['come one after the other', [ended(1), running], ['removeFinalizer', 'deletePod']],
  ])('%s', (...[, pods, expected]) => {
    expect(steps(...pods)).toEqual(expected);
  });

  it('are deleted with the reason, and never a pod without our labels', () => {
    const pods = [{ metadata: { name: 'x' } }, hookPod(running)];
    expect(deletion(running7, pods)).toMatchObject({
      pod: pods[1],
      reason: 'its outcome is recorded',
    });
    expect(tidyStep(running7, pods.slice(0, 1))).toBeNull();
  });
});

describe('adoptions', () => {
  it('gives the pods of its rollout to the ReplicaSet (ROLL-DH19)', () => {
    const replicaSet = { metadata: { name: 'web-2', uid: 'uid-set' } };
    const owned = hookPod({ attempt: 2 });
    const pods: Pod[] = [
      hookPod(),
      hookPod({ number: 6 }),
      {
        ...owned,
        metadata: {
          ...owned.metadata,
          ownerReferences: [ownerOf({ deployment: web, replicaSet })],
        },
      },
    ];
    pods.push({ metadata: { name: 'x' } });
    const steps = adoptions({ pods, number: 7, replicaSet });
    expect(steps).toMatchObject([
      { kind: 'changeOwner', pod: { metadata: { uid: 'uid-7-pre-1' } } },
    ]);
  });
});
