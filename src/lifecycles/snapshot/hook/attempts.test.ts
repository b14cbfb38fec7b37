import { describe, expect, it } from 'vitest';

import { type AttemptReport, AttemptPool, Attempts } from './attempts.ts';

const report: AttemptReport = {
  endedAtMs: 1,
  outcome: 'Succeeded',
  exitCode: 0,
  reason: '',
  output: '',
  probes: [],
};

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Attempts', () => {
  it('tracks an attempt from its intent until its outcome is settled (SNAP-A1, SNAP-A3)', async () => {
    const attempts = new Attempts();
    expect(attempts.look('u/1').kind).toBe('unseen');
    attempts.intend('u/1');
    expect(attempts.look('u/1').kind).toBe('intended');
    let ends = 0;
    let end: (ended: AttemptReport) => void = () => {};
    const make = (): Promise<AttemptReport> => new Promise((resolve) => (end = resolve));
    const beginning = { id: 'u/1', lane: 'freeze', make, onEnd: () => (ends += 1) } as const;
    attempts.begin(beginning);
    expect(attempts.look('u/1').kind).toBe('underWay');
    await soon();
    end(report);
    await soon();
    expect([attempts.look('u/1'), ends]).toEqual([{ kind: 'ended', report }, 1]);
    attempts.settle('u/1');
    expect(attempts.look('u/1').kind).toBe('unseen');
  });

  it('reports how an attempt that was called off has ended', async () => {
    const attempts = new Attempts();
    const ends: string[] = [];
    const make = (signal: { readonly aborted: boolean }): Promise<AttemptReport> =>
      soon().then(() => ({ ...report, outcome: signal.aborted ? 'Cancelled' : 'Succeeded' }));
    attempts.begin({ id: 'u/1', lane: 'freeze', make, onEnd: () => ends.push('u/1') });
    attempts.callOff('u/1');
    attempts.callOff('u/none');
    await soon();
    await soon();
    expect(attempts.look('u/1')).toMatchObject({ kind: 'ended', report: { outcome: 'Cancelled' } });
    expect(ends).toEqual(['u/1']);
  });

  it('runs each attempt at most once (SNAP-A2)', async () => {
    const attempts = new Attempts();
    let made = 0;
    const make = (): Promise<AttemptReport> => {
      made += 1;
      return Promise.resolve(report);
    };
    for (let times = 0; times < 3; times += 1) {
      attempts.begin({ id: 'u/1', lane: 'thaw', make, onEnd: () => {} });
      await soon();
    }
    expect(made).toBe(1);
  });

  it('aborts a forgotten attempt without a callback, and begins none after close', async () => {
    const attempts = new Attempts();
    const called: string[] = [];
    attempts.begin({
      id: 'u/1',
      lane: 'thaw',
      make: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            called.push('left');
            resolve(report);
          });
        }),
      onEnd: () => called.push('ended'),
    });
    await soon();
    attempts.forget('u');
    await soon();
    expect([called, attempts.look('u/1').kind]).toEqual([['left'], 'unseen']);
    attempts.close();
    attempts.begin({
      id: 'u/2',
      lane: 'thaw',
      make: () => Promise.resolve(report),
      onEnd: () => {},
    });
    expect(attempts.look('u/2').kind).toBe('unseen');
  });
});

describe('AttemptPool', () => {
  it('runs attempts up to its limit at once, and the others in order', async () => {
    const pool = new AttemptPool(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (index: number) => (): Promise<void> => {
      begun.push(index);
      return new Promise((resolve) => ends.push(resolve));
    };
    const all = [0, 1, 2, 3].map((index) => pool.run(work(index)));
    await soon();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await soon();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await soon();
    ends[3]?.();
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});
