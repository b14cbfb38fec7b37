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
import { decideFence } from './fence.ts';
import type { StageStep } from './stage.ts';
import { adoptions, letGo } from './tidy.ts';

const kinds = (steps: readonly StageStep[]): string[] => steps.map(({ kind }) => kind);
const running7 = sampleRun({ attempts: [attempt(1, 'Failed'), open(2)] });

describe('letGo', () => {
  const go = (pod: SampleHookPod, openNumber: number | null = 7): string[] =>
    kinds(letGo({ pods: [hookPod(pod)], runs: [running7], openNumber }));

  it.each<[string, string[], string[]]>([
    ['the attempt that is open stays', go({ ...running, attempt: 2 }), []],
    ['also where it has ended and nobody recorded that', go({ ...ended(0), attempt: 2 }), []],
    ['one that was recorded is let go', go(ended(1)), ['removeFinalizer']],
    ['once', go({ ...ended(1), held: false }), []],
    ['its sidecar is ended', go(running), ['deletePod']],
    ['once', go({ ...running, deleted: 3 }), []],
    [
      'without a HookRun, of the open rollout: it will have one',
      go({ ...running, stage: 'mid' }),
      [],
    ],
    ['without a HookRun, of another', go({ ...running, number: 6 }), ['deletePod']],
    ['without a HookRun, ended', go({ ...ended(0), number: 6 }), ['removeFinalizer']],
    ['without anything', go({ ...running, stage: 'mid' }, null), ['deletePod']],
  ])('%s', (...[, steps, expected]) => {
    expect(steps).toEqual(expected);
  });

  it('has nothing to do with pods that are not hooks', () => {
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

describe('decideFence (DH-18)', () => {
  const fence = (...pods: SampleHookPod[]): string => {
    const decided = decideFence({ pods: pods.map((pod) => hookPod(pod)), number: 7 });
    return decided.kind === 'delete' ? `delete ${decided.pod.metadata?.uid}` : decided.kind;
  };

  it.each<[string, string, string]>([
    ['nothing', fence(), 'clear'],
    ['one of this rollout', fence(running), 'clear'],
    ['an older one that has ended', fence({ ...ended(1), number: 6 }), 'clear'],
    ['an older one', fence({ ...running, number: 6 }), 'delete uid-6-pre-1'],
    [
      'an older one that is ending: deleted is not gone',
      fence({ ...running, number: 6, deleted: 99 }),
      'waitFor',
    ],
    [
      'on a node that is lost',
      fence({ ...running, number: 6, deleted: 99, status: { phase: 'Unknown' } }),
      'waitFor',
    ],
    [
      'first all are told to end',
      fence({ ...running, number: 5, deleted: 9 }, { ...running, number: 6 }),
      'delete uid-6-pre-1',
    ],
  ])('%s', (...[, decided, expected]) => {
    expect(decided).toBe(expected);
  });

  it('says for which pod it waits, and where that is', () => {
    const pods = [hookPod({ ...running, number: 6, deleted: 1 })];
    const decided = decideFence({ pods, number: 7 });
    expect(decided).toMatchObject({
      reason: expect.stringMatching(/^hook pod web-6-pre-1-\w+ .*\(Running on node n\)$/) as string,
    });
  });
});
