import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import type { RunRecord } from '../model/attempt.ts';
import { nodeFiles } from '../platform/files.ts';
import { FileLedger } from './file-ledger.ts';
import { procTable } from './process-table.ts';

let parent: string;
let folder: string;

const open = (limits: { readonly limitBytes?: number } = {}): Promise<FileLedger> =>
  FileLedger.open({ files: nodeFiles, folder, processes: procTable(nodeFiles), ...limits });

const run = (runId: string, samples: string): RunRecord[] =>
  recordsOf({ ...planOf([]), runId }, samples);

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lifehook-ledger-'));
  folder = join(parent, 'state');
});

afterEach(async () => {
  await rm(parent, { recursive: true });
});

describe('FileLedger', () => {
  it('reads its records back from the real file system after a reopen', async () => {
    const ledger = await open();
    const records = [
      ...run('a', '1 start x 1; 2 Succeeded x 1; 3 settle Succeeded'),
      ...run('b', '4 start x 1'),
    ];
    for (const record of records) await ledger.append(record);
    await ledger.close();
    const again = await open();
    expect([...(await again.read('a')), ...(await again.read('b'))]).toEqual(records);
    expect(again.unsettled().map(({ runId }) => runId)).toEqual(['b']);
    expect(again.runs({ limit: 1 })).toHaveLength(1);
    await again.close();
  });

  it('ENG-E11: refuses the id of a settled run that it has dropped, also after a reopen', async () => {
    const limitBytes = 4_000;
    const ledger = await open({ limitBytes });
    const settled = run('done', '1 settle Succeeded');
    for (const record of settled) await ledger.append(record);
    for (let at = 0; (await ledger.read('done')).length > 0; at += 1) {
      for (const record of run(`later-${at}`, '2 settle Succeeded')) await ledger.append(record);
    }
    const [opening] = settled as [RunRecord];
    await expect(ledger.append(opening)).rejects.toThrow('LHE013');
    await ledger.close();
    const again = await open({ limitBytes });
    await expect(again.append(opening)).rejects.toThrow('LHE013');
    for (const record of run('new', '3 settle Succeeded')) await again.append(record);
    expect(await again.read('new')).toHaveLength(2);
    await again.close();
  });

  it('creates files that only their owner can read', async () => {
    const ledger = await open();
    const modes = await Promise.all(
      ['', 'journal.jsonl', 'writer.1.lock'].map(
        async (name) => (await stat(join(folder, name))).mode & 0o777,
      ),
    );
    expect(modes.map((mode) => mode.toString(8))).toEqual(['700', '600', '600']);
    await ledger.close();
  });

  it('allows one writer at a time', async () => {
    const ledger = await open();
    await expect(open()).rejects.toThrow(`it is in use by process ${process.pid}`);
    await ledger.close();
    await (await open()).close();
  });
});
