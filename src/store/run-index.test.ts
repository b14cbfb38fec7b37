import { describe, expect, it } from 'vitest';

import { planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { bareResult } from '../engine/act.ts';
import type { RunRecord } from '../model/attempt.ts';
import { encodeValue } from './journal-line.ts';
import { RunIndex } from './run-index.ts';

function run(runId: string, samples: string, openedAtMs = 0): RunRecord[] {
  return recordsOf({ ...planOf([]), runId, title: `run ${runId}` }, samples).map((record) =>
    record.type === 'RunOpened' ? { ...record, atMs: openedAtMs } : record,
  );
}

function indexOf(...records: readonly unknown[]): RunIndex {
  const index = new RunIndex();
  for (const record of records) index.add(record, 10);
  return index;
}

const [openA, settleA] = run('a', '5 settle Succeeded', 1);
const [openB, settleB] = run('b', '4 settle Failed', 2);
const [openC] = run('c', '', 3);
const droppedB = { type: 'RunsDropped', runIds: ['b'] };
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
    expect(index.shrink(49)).toEqual([droppedB, openA, settleA, openC]);
    expect(index.read('b')).toEqual([]);
  });

  it('remembers the ids of dropped runs across replays', () => {
    const index = new RunIndex();
    const once = indexOf(...all);
    for (const value of once.shrink(49)) index.add(value, 10);
    expect([index, once].map((one) => ['a', 'b', 'c'].map((id) => one.wasDropped(id)))).toEqual([
      [false, true, false],
      [false, true, false],
    ]);
    expect(index.shrink(100)).toEqual([droppedB, openA, settleA, openC]);
  });

  it('remembers the newest dropped ids that fit into a quarter of the limit', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `run-${at}`);
    const index = new RunIndex();
    index.add({ type: 'RunsDropped', runIds: ids }, 1_000);
    const [first] = index.shrink(400);
    expect(first).toEqual({ type: 'RunsDropped', runIds: ids.slice(-11) });
    expect([index.wasDropped('run-88'), index.wasDropped('run-89')]).toEqual([false, true]);
  });

  it('drops the output of settled runs before it drops a run', () => {
    const tail = { text: 'x'.repeat(1_000), totalBytes: 1_000 };
    const result = { ...bareResult('Succeeded', 'It has ended.', 1), stdout: tail, stderr: tail };
    const started = { runId: 'a', step: 's', attempt: 1, atMs: 1 };
    const settled = { type: 'AttemptSettled', ...started, result } as const;
    const records: readonly (RunRecord | undefined)[] = [openA, settled, settleA, openB];
    const index = new RunIndex();
    for (const record of records) index.add(record, encodeValue(record).length);
    const without = { ...tail, text: '' };
    const reduced = { ...settled, result: { ...result, stdout: without, stderr: without } };
    const kept = [openA, reduced, settleA, openB];
    expect(index.shrink(1_500)).toEqual(kept);
    expect(index.shrink(1_500)).toEqual(kept);
    expect(index.shrink(100)).toEqual([{ type: 'RunsDropped', runIds: ['a'] }, openB]);
  });

  it('never drops a run that has not settled', () => {
    expect(indexOf(...all).shrink(0)).toEqual([openC]);
  });

  it('keeps the order of settlement across a replay', () => {
    const replayed = indexOf(...indexOf(...all).shrink(50));
    expect(replayed.shrink(49)).toEqual([droppedB, openA, settleA, openC]);
  });

  it('ignores later records of a dropped run', () => {
    const index = indexOf(...all);
    index.shrink(0);
    for (const record of [settleA, settleB]) index.add(record, 10);
    expect(index.shrink(1_000)).toEqual([openC]);
  });
});
