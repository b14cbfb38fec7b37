import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { Random } from '../../test/sim/random.ts';
import { nodeFiles } from '../platform/files.ts';
import { FileLedger } from './file-ledger.ts';
import { procTable } from './process-table.ts';

const KILLS = 10;
const SEED = 1;
const WRITER = join(import.meta.dirname, '../../test/fixtures/journal-writer.ts');

let folder: string;
let program: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-killed-'));
  program = join(folder, 'writer.mjs');
  // One file starts in a fraction of the time that a loader of TypeScript takes.
  await build({
    entryPoints: [WRITER],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface KillPoint {
  readonly operation: 'write' | 'replace';
  readonly count: number;
  /** Before: the operation never begins. */
  readonly moment: 'before' | 'during';
  /** Turns of the writer's event loop from the call to the kill. */
  readonly turns: number;
}

/** By turns in a write and in a replacement: the opening of the ledger, or one of its rotations. */
function killPoint(random: Random, kill: number): KillPoint {
  const isWrite = kill % 2 === 0;
  return {
    operation: isWrite ? 'write' : 'replace',
    count: isWrite ? random.between(1, 40) : random.between(1, 6),
    moment: random.pick(['before', 'during']),
    turns: random.between(0, 8),
  };
}

/** Runs a writer until it kills itself, and returns its output. */
async function writeAndDie(firstNumber: number, point: KillPoint): Promise<string> {
  const { operation, count, moment, turns } = point;
  const where = [operation, count, moment, turns];
  const args = [program, join(folder, 'ledger'), firstNumber, ...where].map(String);
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const [, signal] = await once(writer, 'close');
  expect(signal).toBe('SIGKILL');
  return printed;
}

function numbersAfter(word: string, printed: string): number[] {
  return [...printed.matchAll(new RegExp(`^${word} (\\d+)\\n`, 'gm'))].map(([, number]) =>
    Number(number),
  );
}

it('J1: a writer that is killed at any moment loses nothing that it acknowledged', async () => {
  const random = new Random(SEED);
  const unsettled = new Set<string>();
  let next = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const point = killPoint(random, kill);
    const printed = await writeAndDie(next, point);
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
