import { describe, expect, it } from 'vitest';

import { planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import type { RunRecord } from '../model/attempt.ts';
import { RunIndex } from './run-index.ts';

function run(runId: string, samples: string, openedAtMs = 0): RunRecord[] {
  return recordsOf({ ...planOf([]), runId, title: `run ${runId}` }, samples).map((record) =>
    record.type === 'RunOpened' ? { ...record, atMs: openedAtMs } : record,
  );
}

function indexOf(...records: readonly RunRecord[]): RunIndex {
  const index = new RunIndex();
  for (const record of records) index.add(record, 10);
  return index;
}

const [openA, settleA] = run('a', '5 settle Succeeded', 1);
const [openB, settleB] = run('b', '4 settle Failed', 2);
const [openC] = run('c', '', 3);
const all = [openA, openB, settleB, openC, settleA].filter((record) => record !== undefined);

describe('RunIndex', () => {
  it('returns the records of a run in order', () => {
    expect(indexOf(...all).read('a')).toEqual([openA, settleA]);
    expect(indexOf(...all).read('nobody')).toEqual([]);
  });

  it('lists runs, newest first, with how they settled', () => {
    expect(indexOf(...all).summaries()).toEqual([
      { runId: 'c', title: 'run c', openedAtMs: 3, deadlineAtMs: null, settled: null },
      {
        runId: 'b',
        title: 'run b',
        openedAtMs: 2,
        deadlineAtMs: null,
        settled: { atMs: 4, outcome: 'Failed', reason: 'As told.' },
      },
      {
        runId: 'a',
        title: 'run a',
        openedAtMs: 1,
        deadlineAtMs: null,
        settled: { atMs: 5, outcome: 'Succeeded', reason: 'As told.' },
      },
    ]);
  });

  it('drops nothing within the limit', () => {
    expect(indexOf(...all).shrink(50)).toHaveLength(5);
  });

  it('drops whole runs in the order in which they settled', () => {
    const index = indexOf(...all);
    expect(index.shrink(49)).toEqual([openA, settleA, openC]);
    expect(index.read('b')).toEqual([]);
  });

  it('never drops a run that has not settled', () => {
    expect(indexOf(...all).shrink(0)).toEqual([openC]);
  });

  it('keeps the order of settlement across a replay', () => {
    const replayed = indexOf(...indexOf(...all).shrink(50));
    expect(replayed.shrink(49)).toEqual([openA, settleA, openC]);
  });

  it('ignores later records of a dropped run', () => {
    const index = indexOf(...all);
    index.shrink(0);
    for (const record of [settleA, settleB]) index.add(record, 10);
    expect(index.shrink(1_000)).toEqual([openC]);
  });
});
