import { describe, expect, test } from 'vitest';

import {
  hook,
  RECREATE,
  recreate,
  rollingUpdate,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import { machineFacts, type SampleFacts } from '../../../../test/fixtures/rollout/machine-facts.ts';
import type { LifecycleHook, Stage } from '../kinds.ts';
import { deadlineSeconds, hookOf } from './stage-hooks.ts';

const STAGES: readonly Stage[] = ['pre', 'mid', 'post'];

describe('the hooks of a lifecycle', () => {
  const stagesOf = (sample: SampleFacts): Stage[] =>
    STAGES.filter((stage) => hookOf(machineFacts(sample), stage) !== null);
  const named = (name: string): LifecycleHook => ({ execNewPod: { containerName: name } });

  test.each<[string, SampleFacts, Stage[]]>([
    [
      'of RollingUpdate are pre and post (ROLL-DH3)',
      { lifecycle: { rollingUpdate } },
      ['pre', 'post'],
    ],
    [
      'of RollingUpdate never include mid (ROLL-DH3)',
      { lifecycle: { rollingUpdate: { ...rollingUpdate, mid: hook } as never } },
      ['pre', 'post'],
    ],
    [
      'of Recreate are pre, mid and post (ROLL-DH4)',
      { lifecycle: { recreate }, spec: { ...RECREATE } },
      ['pre', 'mid', 'post'],
    ],
    ['of the other strategy do not count', { lifecycle: { recreate } }, []],
    [
      'of RollingUpdate do not count for Recreate',
      { lifecycle: { rollingUpdate }, spec: { ...RECREATE } },
      [],
    ],
    ['are none where a stage has none', { lifecycle: { rollingUpdate: { post: hook } } }, ['post']],
  ])('%s', (...[, sample, stages]) => {
    expect(stagesOf(sample)).toEqual(stages);
  });

  test('are those of the strategy that the Deployment has now', () => {
    const lifecycle = { recreate: { pre: named('a') }, rollingUpdate: { pre: named('b') } };
    const strategies = [RECREATE, {}].map((spec) =>
      hookOf(machineFacts({ lifecycle, spec }), 'pre'),
    );
    expect(strategies).toEqual([named('a'), named('b')]);
  });
});

test('the deadline of a stage is that of the Deployment, or the default of Kubernetes (ROLL-DH16)', () => {
  const deadlineOf = (seconds: number | undefined): number =>
    deadlineSeconds(machineFacts({ spec: { progressDeadlineSeconds: seconds as never } }));
  expect([deadlineOf(90), deadlineOf(undefined)]).toEqual([90, 600]);
});
