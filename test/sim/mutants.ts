/**
 * `npm run sim:mutants [-- --lifecycle NAME]`: proof that the simulator can fail. Each kept mutant breaks the product in one
 * place, in a bundle of it; its seeds have to find that, and to name the invariant. A mutant whose text
 * is no longer there fails as well: it proves nothing.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { bundle } from './bundle.ts';
import { containerMutants } from './container/mutants.ts';
import { controllerMutants } from './controller/mutants.ts';
import { engineMutants } from './engine/mutants.ts';
import { pipelineMutants } from './pipeline/mutants.ts';
import { podMutants } from './pod/mutants.ts';
import { rolloutMutants } from './rollout/mutants.ts';
import { rolloutWorldMutants } from './rollout/world-mutants.ts';
import { snapshotMutants } from './snapshot/mutants.ts';
import { snapshotWorldMutants } from './snapshot/world-mutants.ts';

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once. */
  readonly text: string;
  readonly by: string;
  /** The invariants that may be named; the first is the one that it was written for. */
  readonly breaks: readonly [string, ...string[]];
  /** Within how many seeds it has to be found; absent: DEFAULT_SEEDS. */
  readonly seeds?: number;
}

/** A later lifecycle adds its mutants with one line. */
const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  engine: engineMutants,
  controller: controllerMutants,
  pod: podMutants,
  rollout: [...rolloutMutants, ...rolloutWorldMutants],
  snapshot: [...snapshotMutants, ...snapshotWorldMutants],
  container: containerMutants,
  pipeline: pipelineMutants,
};

const DEFAULT_SEEDS = 100;
const ROOT = join(import.meta.dirname, '../..');

const { values: chosen } = parseArgs({ options: { lifecycle: { type: 'string' } } });
process.exitCode = await main();

async function main(): Promise<number> {
  const { lifecycle } = chosen;
  if (lifecycle !== undefined && mutants[lifecycle] === undefined) {
    console.error(
      `There are no mutants of "${lifecycle}", only of ${Object.keys(mutants).join(', ')}.`,
    );
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-mutants-'));
  try {
    return await tryAll(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function tryAll(folder: string): Promise<number> {
  let failed = 0;
  let passed = 0;
  for (const [lifecycle, list] of Object.entries(mutants)) {
    if (lifecycle !== (chosen.lifecycle ?? lifecycle)) continue;
    for (const mutant of list) {
      const verdict = await tryMutant(folder, lifecycle, mutant);
      if (verdict.caught) passed += 1;
      else failed += 1;
      console.log(
        `${verdict.caught ? 'caught' : 'MISSED'}  ${lifecycle}: ${mutant.name}: ${verdict.how}`,
      );
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function tryMutant(
  folder: string,
  lifecycle: string,
  { file, text, by, breaks, seeds = DEFAULT_SEEDS }: Mutant,
): Promise<{ caught: boolean; how: string }> {
  const places = (await readFile(join(ROOT, file), 'utf8')).split(text).length - 1;
  if (places !== 1) return { caught: false, how: `its text occurs ${places} times in ${file}` };
  const outfile = join(folder, 'main.mjs');
  const change = (original: string): string => original.replace(text, () => by);
  await bundle('test/sim/main.ts', { outfile, replacement: { file, change } });
  const output = await runSimulator(outfile, ['--lifecycle', lifecycle, '--seeds', String(seeds)]);
  const [, seed, named] = /: seed (\d+) breaks (\S+):/.exec(output) ?? [];
  if (seed === undefined || named === undefined) {
    return { caught: false, how: `no violation in ${seeds} seeds: ${output.slice(-300).trim()}` };
  }
  const how = `seed ${seed} breaks ${named}`;
  return { caught: breaks.includes(named), how: `${how}, expected ${breaks.join(' or ')}` };
}

function runSimulator(script: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // Its exit code says the same as its output.
    execFile(process.execPath, [script, ...args], (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}
