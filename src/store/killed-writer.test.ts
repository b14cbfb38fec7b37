import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { bundleProgram, killPoint, runToItsKill } from '../../test/fixtures/dying-program.ts';
import { Random } from '../../test/sim/random.ts';
import { nodeFiles } from '../platform/files.ts';
import { FileLedger } from './file-ledger.ts';
import { procTable } from './process-table.ts';

const KILLS = 10;
const SEED = 1;

let folder: string;
let program: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-killed-'));
  program = await bundleProgram('journal-writer', folder);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function numbersAfter(word: string, printed: string): number[] {
  return [...printed.matchAll(new RegExp(`^${word} (\\d+)\\n`, 'gm'))].map(([, number]) =>
    Number(number),
  );
}

it('ENG-J1: a writer that is killed at any moment loses no acknowledged record', async () => {
  const random = new Random(SEED);
  const unsettled = new Set<string>();
  let next = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const point = killPoint(random, kill);
    const args = [program, join(folder, 'ledger'), String(next)];
    const printed = await runToItsKill(args, point);
    const opened = numbersAfter('opened', printed);
    for (const number of opened) unsettled.add(`run-${number}`);
    for (const number of numbersAfter('settling', printed)) unsettled.delete(`run-${number}`);
    next = Math.max(next, ...opened) + 1_000;

    const ledger = await FileLedger.open({
      files: nodeFiles,
      folder: join(folder, 'ledger'),
      processes: procTable(nodeFiles),
    });
    const found = new Set(ledger.unsettled().map(({ runId }) => runId));
    await ledger.close();
    const lost = [...unsettled].filter((runId) => !found.has(runId));
    expect(lost, `after kill ${kill}, ${JSON.stringify(point)}`).toEqual([]);
  }
  expect(unsettled.size).toBeGreaterThan(KILLS);
});
