import { describe, expect, it } from 'vitest';

import { snapshotBar as bar } from '../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from './bar.ts';
import { summarizeRuns } from './run-summary.ts';

describe('runs of a timeline', () => {
  it('have the outcome and the reason of their worst span', () => {
    const [run] = summarizeRuns(
      [
        bar('b', { startMs: 15, endMs: 40, outcome: 'Unknown', reason: 'nobody saw it' }),
        bar('a'),
        bar('c', { lane: 'shop/db-1/db', startMs: 30, outcome: 'Cancelled' }),
        bar('f', { kind: 'frozen', startMs: 12, endMs: 37 }),
      ],
      100,
    );
    expect(run).toMatchObject({
      run: 'nightly',
      lanes: ['shop/db-0/db', 'shop/db-1/db'],
      attempts: 3,
      outcome: 'Unknown',
      reason: 'nobody saw it',
      startMs: 10,
      endMs: 40,
      frozenMs: 25,
    });
    expect(run?.bars.map(({ id }) => id)).toEqual(['a', 'f', 'b', 'c']);
  });

  it('are open while one of their spans is open', () => {
    const frozen = bar('f', { kind: 'frozen', endMs: null, outcome: 'Running' });
    expect(summarizeRuns([bar('a'), frozen], 60)).toMatchObject([
      { outcome: 'Running', endMs: null, frozenMs: 50 },
    ]);
  });

  it('of snapshots have the outcome and the verdict of the snapshot once it ends, even if a hook was retried', () => {
    const verdict = 'ApplicationConsistent: FrozenAtCut';
    const whole = bar('whole', { kind: 'phase', name: 'nightly', evidence: { verdict } });
    const retried = bar('first', { outcome: 'Failed', reason: 'busy' });
    expect(summarizeRuns([retried, whole], 100)).toMatchObject([{ outcome: 'Succeeded', verdict }]);
  });

  it('of rollouts have the outcome of the rollout once it ends, even if a hook failed', () => {
    const web = { lifecycle: 'rollout', run: 'rollout 3', lane: 'shop/web' } as const;
    const whole = bar('whole', { ...web, kind: 'phase', name: 'rollout 3', endMs: null });
    const hook = bar('pre', { ...web, outcome: 'Failed', reason: 'exit 7' });
    const outcomes = (more: Partial<Bar>): unknown[] =>
      summarizeRuns([{ ...whole, ...more }, hook], 60).map(({ outcome }) => outcome);
    expect(outcomes({ endMs: 50 })).toEqual(['Succeeded']);
    expect(outcomes({ outcome: 'Running' })).toEqual(['Failed']);
  });

  it('of containers are separate when a later container has the same name', () => {
    const made = ([id, point]: [string, string], startMs: number, more: Partial<Bar> = {}): Bar => {
      const evidence = { hook: `${point} 0` };
      const own = { lifecycle: 'container', run: 'web', lane: 'web', startMs, point } as const;
      return bar(id, { ...own, evidence, ...more });
    };
    const runs = summarizeRuns(
      [
        made(['a', 'createRuntime'], 10),
        made(['b', 'createRuntime'], 11, { evidence: { hook: 'createRuntime 1' } }),
        made(['c', 'createRuntime'], 12, { evidence: { hook: 'createRuntime 1' }, attempt: 2 }),
        made(['d', 'poststop'], 13),
        made(['e', 'postexit'], 14),
        made(['f', 'createRuntime'], 20),
        made(['g', 'createRuntime'], 30),
        made(['h', 'poststop'], 31),
        made(['i', 'poststop'], 40),
      ],
      100,
    );
    const ids = runs.map(({ bars }) => bars.map(({ id }) => id).join(''));
    expect(ids).toEqual(['i', 'gh', 'f', 'abcde']);
  });

  it('with the same name are separate in another namespace, Deployment or lifecycle', () => {
    const rollout = { lifecycle: 'rollout', run: 'rollout 3' } as const;
    const runs = summarizeRuns(
      [
        bar('a'),
        bar('b', { lane: 'test/db-0/db', startMs: 11 }),
        bar('c', { ...rollout, lane: 'shop/web', startMs: 12 }),
        bar('d', { ...rollout, lane: 'shop/api', startMs: 13 }),
        bar('e', { lifecycle: 'pipeline', run: 'dev 1', lane: 'build/web', startMs: 14 }),
        bar('f', { lifecycle: 'pipeline', run: 'dev 1', lane: 'deploy', startMs: 15 }),
      ],
      100,
    );
    expect(runs.map(({ bars }) => bars.map(({ id }) => id).join(''))).toEqual([
      'ef',
      'd',
      'c',
      'b',
      'a',
    ]);
  });
});
