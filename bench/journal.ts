/**
 * Records per second that the journal makes durable, one after another and a hundred at once. The comparison is a loop
 * that only writes the same line and waits for the disk.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunRecord } from '../src/model/attempt.ts';
import { nodeFiles } from '../src/platform/files.ts';
import { FileLedger } from '../src/store/file-ledger.ts';
import { encodeLine, encodeValue } from '../src/store/journal-line.ts';
import { procTable } from '../src/store/process-table.ts';
import { interleave, median, type BenchResult } from './measure.ts';

const ROUNDS = 25;
const APPENDS = 100;
const MS_PER_SECOND = 1000;

export async function journal(): Promise<readonly BenchResult[]> {
  // Not the temporary directory: it may be in memory, where fsync costs nothing.
  await mkdir('dist', { recursive: true });
  const folder = await mkdtemp('dist/bench-journal-');
  try {
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(folder: string): Promise<BenchResult[]> {
  const processes = procTable(nodeFiles);
  const ledger = await FileLedger.open({
    files: nodeFiles,
    folder: join(folder, 'journal'),
    processes,
  });
  const bare = openSync(join(folder, 'bare'), 'a');
  const line = encodeLine([encodeValue(record(0))]);
  const turns = Array.from({ length: APPENDS }, (_, turn) => turn);
  let runs = 0;
  const append = (): Promise<void> => {
    runs += 1;
    return ledger.append(record(runs));
  };
  const times = await interleave(
    [
      {
        name: 'bare',
        run: () => {
          for (const _ of turns) writeAndWait(bare, line);
        },
      },
      {
        name: 'singly',
        run: async () => {
          for (const _ of turns) await append();
        },
      },
      {
        name: 'together',
        run: async () => {
          await Promise.all(turns.map(() => append()));
        },
      },
    ],
    ROUNDS,
  );
  closeSync(bare);
  await ledger.close();
  return resultsOf((name) => (APPENDS * MS_PER_SECOND) / median(times.get(name) ?? []));
}

function writeAndWait(fd: number, line: string): void {
  writeSync(fd, line);
  fdatasyncSync(fd);
}

function record(number: number): RunRecord {
  return {
    type: 'RunOpened',
    runId: `run-${number}`,
    atMs: number,
    title: 'container web / createRuntime',
    steps: [{ kind: 'main', name: '10-network.json' }],
    deadlineAtMs: null,
  };
}

function resultsOf(perSecond: (name: string) => number): BenchResult[] {
  const bare = perSecond('bare');
  const shared = {
    goal: null,
    against: `a bare write and sync (${bare.toFixed(0)} a second)`,
    samples: ROUNDS,
  };
  return ['singly', 'together'].flatMap((name) => [
    { ...shared, name: `journal-${name}`, value: perSecond(name), unit: 'appends/s' },
    { ...shared, name: `journal-${name}-ratio`, value: perSecond(name) / bare, unit: 'times' },
  ]);
}
