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
import { adoptions, letGo } from './tidy.ts';

const kinds = (steps: readonly StageStep[]): string[] => steps.map(({ kind }) => kind);
const running7 = sampleRun({ attempts: [attempt(1, 'Failed'), open(2)] });

describe('letGo', () => {
  const go = (pod: SampleHookPod, openNumber: number | null = 7): string[] =>
    kinds(letGo({ pods: [hookPod(pod)], runs: [running7], openNumber }));

  it.each<[string, string[], string[]]>([
    ['keeps the pod of an open attempt', go({ ...running, attempt: 2 }), []],
    ['keeps an exited pod whose outcome is not recorded', go({ ...ended(0), attempt: 2 }), []],
    ['releases a pod whose outcome is recorded', go(ended(1)), ['removeFinalizer']],
    ['ignores a released pod', go({ ...ended(1), held: false }), []],
    ['deletes a recorded pod whose sidecar runs', go(running), ['deletePod']],
    ['ignores a terminating pod with a sidecar', go({ ...running, deleted: 3 }), []],
    ['keeps a pod of the open rollout without a HookRun', go({ ...running, stage: 'mid' }), []],
    [
      'deletes a running pod of another rollout without a HookRun',
      go({ ...running, number: 6 }),
      ['deletePod'],
    ],
    [
      'releases an exited pod of another rollout without a HookRun',
      go({ ...ended(0), number: 6 }),
      ['removeFinalizer'],
    ],
    [
      'deletes a pod without HookRun and open rollout',
      go({ ...running, stage: 'mid' }, null),
      ['deletePod'],
    ],
  ])('%s', (...[, steps, expected]) => {
    expect(steps).toEqual(expected);
  });

  it('ignores pods that are not hook pods', () => {
    expect(letGo({ pods: [{ metadata: { name: 'x' } }], runs: [], openNumber: null })).toEqual([]);
  });
});

describe('adoptions', () => {
  it('gives the pods of its rollout to the ReplicaSet (DH-19)', () => {
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
    const steps = adoptions({ pods, number: 7, replicaSet });
    expect(steps).toMatchObject([
      { kind: 'changeOwner', pod: { metadata: { uid: 'uid-7-pre-1' } } },
    ]);
  });
});
