import { expect, it } from 'vitest';

import { Progress } from './journal.ts';

const pid = { pid: 7 };
const late = { later: 't2', file: '/b.test.ts', covers: ['2'] };

const loading = { loading: ['9'] };

it('adds up what the processes report one after another', () => {
  const progress = new Progress();
  const first = [pid, { trying: '1' }, { killed: '1', by: 'adds', error: 'not 3' }, late, loading];
  const second = [pid, loading, { done: 't1', covers: ['1', '3'] }, loading];
  expect([progress.add(first, 1), progress.add(second, 2)]).toEqual([true, true]);
  expect(progress).toMatchObject({
    killed: new Map([['1', 'adds: not 3']]),
    covered: new Set(['2', '1', '3']),
    loading: new Set(['9']),
    done: new Set(['t1']),
    red: [],
  });
});

it('counts a mutant as killed with which the process hung or ended twice', () => {
  const progress = new Progress();
  const reports = [pid, { trying: '1' }, { trying: '2' }];
  expect([progress.add(reports, 1), progress.killed.size]).toEqual([false, 0]);
  expect(progress.add([pid, { trying: '1' }], 1)).toBe(false);
  expect(progress.add(reports, 1)).toBe(false);
  expect([...progress.killed.keys()]).toEqual(['2']);
});

it.each([
  [[], 0],
  [[], 1],
  [[pid, loading, late], 2],
])(
  'throws where the process exited by itself before all files had run: %j of %i',
  (reports, files) => {
    expect(() => new Progress().add(reports, files)).toThrow(
      'The process of the tests ended after',
    );
  },
);

it('leaves to the next pass only tests that cover a mutant that is alive', () => {
  const progress = new Progress();
  progress.add([pid, late, { ...late, later: 't3', covers: ['3'] }, loading], 1);
  progress.add([pid, { killed: '2', by: 'adds', error: 'not 3' }, loading], 1);
  expect([...progress.takeLater().keys()]).toEqual(['t3']);
  expect(progress.takeLater().size).toBe(0);
});

it('counts as alive what was killed by a test that failed without a mutant later', () => {
  const progress = new Progress();
  const once = { once: 't1', name: 'adds', error: 'not 3', withdrawn: ['1'] };
  const killed = ['1', '2'].map((id) => ({ killed: id, by: 'adds', error: 'not 3' }));
  progress.add([pid, ...killed, once, loading], 1);
  expect(progress).toMatchObject({ done: new Set(['t1']), once: [{ name: 'adds' }] });
  expect([...progress.killed.keys()]).toEqual(['2']);
});

it('counts as alive what a test killed that no run without a mutant followed, since the process ended', () => {
  const progress = new Progress();
  const killed = (id: string) => ({ killed: id, by: 'adds', error: 'not 3' });
  const done = { done: 't1', covers: ['1'] };
  expect(progress.add([pid, killed('1'), done, killed('2'), { trying: '3' }], 1)).toBe(false);
  expect([...progress.killed.keys()]).toEqual(['1']);
});
