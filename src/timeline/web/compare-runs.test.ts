import { describe, expect, it } from 'vitest';

import { sampleBar, snapshotBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from '../bar.ts';
import { comparedSteps, lastGoodRun } from './compare-runs.ts';

/** A step of a session that takes half a second; `title` is "RUN NAME". */
const step = (title: string, startMs: number, more: Partial<Bar> = {}): Bar => {
  const [run = '', name = ''] = title.split(' ');
  return sampleBar(`${title} ${startMs}`, {
    lifecycle: 'pipeline',
    lane: 'build/web',
    run,
    point: 'build before',
    name,
    startMs,
    endMs: startMs + 500,
    ...more,
  });
};

const failed = { outcome: 'Failed', exitCode: 3 } as const;
const good = [step('one generate', 0), step('one compile', 600), step('one scan', 1_200)];
const bad = [
  step('three generate', 20_000),
  step('three compile', 21_000, failed),
  step('three compile', 25_000, { ...failed, attempt: 2 }),
];

describe('lastGoodRun', () => {
  const runOf = (bars: readonly Bar[], run: readonly Bar[]): string | undefined =>
    lastGoodRun(bars, run)?.[0]?.run;

  it('is the newest run before it in which the same steps succeeded', () => {
    const newer = [step('two generate', 9_000), step('two compile', 9_600)];
    expect(runOf([...good, ...newer, ...bad], bad)).toBe('two');
    expect(lastGoodRun([...bad, ...good], bad)).toEqual(good);
  });

  it('is no run that failed, is open, came later or has other steps', () => {
    const others = [
      step('two generate', 9_000, failed),
      step('open generate', 9_000, { endMs: null, outcome: 'Running' }),
      step('later generate', 30_000),
      step('other deploy', 9_000),
      step('elsewhere generate', 9_000, { lane: 'build/api' }),
    ];
    expect(lastGoodRun([...others, ...bad], bad)).toBeNull();
  });

  it('may have retried a step', () => {
    const retried = [step('two generate', 9_000, failed), step('two generate', 9_900)];
    expect(runOf([...retried, ...bad], bad)).toBe('two');
  });

  it('has the outcome of the whole snapshot, whose name is another one in each run', () => {
    const run = (name: string, startMs: number, outcome: Bar['outcome']): Bar[] => [
      snapshotBar(`${name} whole`, {
        kind: 'phase',
        lane: `shop/${name}`,
        run: name,
        name,
        point: 'snapshot',
        startMs,
        endMs: startMs + 9,
        outcome,
      }),
      snapshotBar(`${name} freeze`, { run: name, startMs, endMs: startMs + 3 }),
    ];
    const [first, second] = [run('nightly-1', 0, 'Succeeded'), run('nightly-2', 20, 'Failed')];
    const third = run('nightly-3', 40, 'Failed');
    expect(runOf([...first, ...second, ...third], third)).toBe('nightly-1');
    expect(comparedSteps(third, first, 99).map(({ label }) => label)).toEqual([
      'whole run',
      'preAction: db',
    ]);
  });

  it('is of another pod with the same hook in the same namespace', () => {
    const pod = (lane: string, more: Partial<Bar> = {}): Bar =>
      sampleBar(lane, { lane, run: lane, ...more });
    const late = { startMs: 50, endMs: 60, outcome: 'Failed' } as const;
    const run = [pod('shop/web-b/web', late)];
    expect(runOf([pod('shop/web-a/web'), pod('test/web-c/web'), ...run], run)).toBe(
      'shop/web-a/web',
    );
  });
});

describe('comparedSteps', () => {
  it('shows the steps of the failed run in order, then those that it did not reach', () => {
    expect(
      comparedSteps(bad, good, 99_999).map(({ label, difference }) => [label, difference]),
    ).toEqual([
      ['build before: generate', null],
      ['build before: compile', 'Failed with exit code 3, 2 attempts, 9.0 times as long'],
      ['build before: scan', 'not reached'],
    ]);
  });

  it('shows a step that the good run did not have', () => {
    const more = [...bad, step('three sign', 27_000)];
    expect(comparedSteps(more, good, 99_999)).toContainEqual(
      expect.objectContaining({ label: 'build before: sign', difference: 'not in that run' }),
    );
  });

  it('does not call a step slower that takes less than a second more', () => {
    const one = [step('a generate', 0, { endMs: 900 })];
    expect(comparedSteps(one, good, 99_999)[0]?.difference).toBeNull();
  });
});
