import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { processList } from '../../../../test/e2e/process-list.ts';
import { eventually } from '../../../../test/fixtures/api-cases/eventually.ts';
import { bundleProgram, killPoint, runToItsKill } from '../../../../test/fixtures/dying-program.ts';
import { Random } from '../../../../test/sim/random.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { FileLedger } from '../../../store/file-ledger.ts';
import { procTable } from '../../../store/process-table.ts';

const KILLS = 10;
const SEED = 3;

function effectsIn(folder: string): string[] {
  const path = join(folder, 'effects');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

/**
 * Waits until all commands of hooks have exited: the test kills only the program. Their command lines name the
 * directory.
 */
async function commandsEnded(folder: string): Promise<void> {
  await eventually('the last command has ended', () =>
    Promise.resolve(processList().every(({ line }) => !line.includes(folder))),
  );
}

/** The records of each hook, keyed by its address. */
async function recordsIn(folder: string): Promise<Map<string, readonly RunRecord[]>> {
  const ledger = await FileLedger.open({
    files: nodeFiles,
    folder: join(folder, 'journal'),
    processes: procTable(nodeFiles),
  });
  const found = new Map<string, readonly RunRecord[]>();
  for (const { runId } of ledger.runs({ limit: Infinity })) {
    const records = await ledger.read(runId);
    const [opened] = records;
    if (opened?.type === 'RunOpened') found.set(opened.steps[0]?.name ?? '', records);
  }
  await ledger.close();
  return found;
}

it('a list of hooks that is killed at any moment has each effect in its journal, and no success without one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-killed-list-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const program = await bundleProgram('list-runner', folder);
  const random = new Random(SEED);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const point = { ...killPoint(random, kill), operation: 'write' as const };
    await runToItsKill([program, folder, String(kill)], point);
    await commandsEnded(folder);
    const effects = new Set(effectsIn(folder));
    const records = await recordsIn(folder);
    const unrecorded = [...effects].filter((address) => !records.has(address));
    expect(unrecorded, `after kill ${kill}, ${JSON.stringify(point)}`).toEqual([]);
    const untrue = [...records].filter(
      ([address, all]) =>
        !effects.has(address) &&
        all.some((record) => record.type === 'RunSettled' && record.outcome === 'Succeeded'),
    );
    expect(untrue, `after kill ${kill}, ${JSON.stringify(point)}`).toEqual([]);
  }
  expect(effectsIn(folder).length).toBeGreaterThan(KILLS);
});
