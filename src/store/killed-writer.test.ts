import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { nodeFiles } from '../platform/files.ts';
import { FileLedger } from './file-ledger.ts';
import { procTable } from './process-table.ts';

const KILLS = 20;
const LATEST_KILL_MS = 150;
const WRITER = join(import.meta.dirname, '../../test/fixtures/journal-writer.ts');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-killed-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Lets a writer work for a moment, kills it, and gives what it had printed. */
async function writeAndKill(firstNumber: number, afterMs: number): Promise<string> {
  const args = ['--import', 'tsx', WRITER, folder, String(firstNumber)];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  await once(writer.stdout, 'data');
  await sleep(afterMs);
  writer.kill('SIGKILL');
  await once(writer, 'close');
  return printed;
}

function numbersAfter(word: string, printed: string): number[] {
  return [...printed.matchAll(new RegExp(`^${word} (\\d+)\\n`, 'gm'))].map(([, number]) =>
    Number(number),
  );
}

it(
  'J1: a writer that is killed at any moment loses nothing that it acknowledged',
  { timeout: 120_000 },
  async () => {
    const unsettled = new Set<string>();
    let next = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const printed = await writeAndKill(next, Math.random() * LATEST_KILL_MS);
      const opened = numbersAfter('opened', printed);
      expect(opened.length).toBeGreaterThan(0);
      for (const number of opened) unsettled.add(`run-${number}`);
      for (const number of numbersAfter('settling', printed)) unsettled.delete(`run-${number}`);
      next = Math.max(...opened) + 1_000;

      const ledger = await FileLedger.open({
        files: nodeFiles,
        folder,
        processes: procTable(nodeFiles),
      });
      const found = new Set(ledger.unsettled().map(({ runId }) => runId));
      await ledger.close();
      expect([...unsettled].filter((runId) => !found.has(runId))).toEqual([]);
    }
    expect(unsettled.size).toBeGreaterThan(KILLS);
  },
);
