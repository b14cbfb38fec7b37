import { describe, expect, it } from 'vitest';

import {
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import { attempt, open, sampleRun } from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { HookRun } from '../kinds.ts';
import { surplusPods, surplusRuns } from './retention.ts';

describe('surplusPods (ROLL-DH20)', () => {
  const over = (exitCode: number, more: SampleHookPod): SampleHookPod => ({
    ...ended(exitCode),
    held: false,
    ...more,
  });
  const surplus = (
    samples: SampleHookPod[],
    podsKept?: { succeeded?: number; failed?: number },
  ): string[] =>
    surplusPods({ pods: samples.map((one) => hookPod(one)), runs: [], podsKept }).map(
      ({ metadata }) => metadata?.uid ?? '',
    );

  it('keeps the newest one that succeeded and the newest three that failed', () => {
    const pods = [
      over(0, { number: 5 }),
      over(0, { number: 7, stage: 'post' }),
      over(0, { number: 7 }),
      over(1, { number: 6, attempt: 9 }),
      over(1, { number: 6, attempt: 10 }),
      over(1, { number: 6, stage: 'mid' }),
      over(1, { number: 7 }),
    ];
    expect(surplus(pods)).toEqual(['uid-7-pre-1', 'uid-5-pre-1', 'uid-6-pre-9']);
  });

  it('keeps as many as podsKept says', () => {
    const pods = [over(0, { number: 5 }), over(0, { number: 6 }), over(1, { number: 7 })];
    expect(surplus(pods, { succeeded: 2, failed: 0 })).toEqual(['uid-7-pre-1']);
    expect(surplus(pods, { succeeded: 0 })).toEqual(['uid-6-pre-1', 'uid-5-pre-1']);
  });

  it('never lists a pod that runs, has our finalizer, is terminating or has no recorded outcome', () => {
    const kept = [running, ended(1), over(1, { deleted: 1 })];
    expect(surplus(kept, { failed: 0 })).toEqual([]);
    const runs = [sampleRun({ attempts: [open(1)] })];
    const pods = [hookPod(over(1, {}))];
    expect(surplusPods({ pods, runs, podsKept: { failed: 0 } })).toEqual([]);
  });

  it('never lists a pod that is not a hook pod', () => {
    const { metadata, ...rest } = hookPod(over(1, {}));
    const { labels: _, ...named } = metadata ?? {};
    const pods = [{ metadata: named, ...rest }];
    expect(surplusPods({ pods, runs: [], podsKept: { failed: 0 } })).toEqual([]);
  });

  it('lists a pod whose outcome is recorded', () => {
    const runs = [sampleRun({ attempts: [attempt(1, 'Failed'), open(2)] })];
    const pods = [hookPod(over(1, {})), hookPod(over(1, { attempt: 2 }))];
    expect(surplusPods({ pods, runs, podsKept: { failed: 0 } })).toEqual(pods.slice(0, 1));
  });

  it('counts an evicted pod as failed', () => {
    const phase = { status: { phase: 'Failed', reason: 'Evicted' }, held: false };
    expect(surplus([phase], { succeeded: 0, failed: 1 })).toEqual([]);
    expect(surplus([phase], { succeeded: 1, failed: 0 })).toEqual(['uid-7-pre-1']);
  });
});

describe('surplusRuns', () => {
  const runOf = (rollout: number, phase: 'Running' | 'Succeeded', uid = 'uid-web'): HookRun => {
    const run = sampleRun({ status: { phase } });
    return { ...run, spec: { ...run.spec, rollout, deploymentUID: uid } };
  };
  const numbers = (runs: readonly HookRun[]): number[] => runs.map(({ spec }) => spec.rollout);

  it('keeps the runs of the last ten rollouts, and open runs', () => {
    const runs = Array.from({ length: 13 }, (_, index) => runOf(index + 1, 'Succeeded'));
    expect(numbers(surplusRuns([...runs, runOf(13, 'Succeeded')]))).toEqual([1, 2, 3]);
    expect(numbers(surplusRuns([runOf(1, 'Running'), ...runs.slice(1)]))).toEqual([2, 3]);
    expect(surplusRuns(runs.slice(0, 10))).toEqual([]);
  });

  it('never lists a run that has not started', () => {
    const runs = Array.from({ length: 12 }, (_, index) => runOf(index + 1, 'Succeeded'));
    const [first, ...rest] = runs;
    const { status: _, ...fresh } = first ?? runOf(1, 'Running');
    expect(numbers(surplusRuns([fresh, ...rest]))).toEqual([2]);
  });

  it('orders the runs of a recreated Deployment by age', () => {
    const old = runOf(40, 'Succeeded', 'uid-old');
    const fresh = Array.from({ length: 10 }, (_, index): HookRun => {
      const run = runOf(index + 1, 'Succeeded');
      return { ...run, metadata: { ...run.metadata, creationTimestamp: '2026-01-02T00:00:00Z' } };
    });
    expect(numbers(surplusRuns([old, ...fresh]))).toEqual([40]);
  });
});
