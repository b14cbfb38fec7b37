/**
 * `npm run sim:mutants [-- --lifecycle NAME --part K/N]` proves that the simulator can find defects. For each kept mutant, it
 * changes one place of the product in a bundle. The seeds must then find a violation of the mutant's invariant. A
 * mutant whose text no longer exists fails too, because it proves nothing.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundle } from './bundle.ts';
import { type MutantOptions, readMutantOptions } from './command-options.ts';
import { keptMutants, type Mutant } from './kept-mutants.ts';

const DEFAULT_SEEDS = 3_000;
const ROOT = join(import.meta.dirname, '../..');

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readMutantOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-mutants-'));
  try {
    return await tryAll(folder, options);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function tryAll(folder: string, { names, part }: MutantOptions): Promise<number> {
  const all = names
    .flatMap((lifecycle) => (keptMutants[lifecycle] ?? []).map((mutant) => ({ lifecycle, mutant })))
    .filter((_, index) => index % part.of === part.number - 1);
  // The workers share one iterator, so each mutant is tried once.
  const queue = all.values();
  let failed = 0;
  const work = async (worker: number): Promise<void> => {
    const outfile = join(folder, `${worker}.mjs`);
    for (const { lifecycle, mutant } of queue) {
      const { caught, how } = await tryMutant(outfile, lifecycle, mutant);
      if (!caught) failed += 1;
      console.log(`${caught ? 'caught' : 'MISSED'}  ${lifecycle}: ${mutant.name}: ${how}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, (_, worker) => work(worker)));
  console.log(`${all.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function tryMutant(
  outfile: string,
  lifecycle: string,
  { file, text, by, breaks, from = 1, seeds = DEFAULT_SEEDS }: Mutant,
): Promise<{ caught: boolean; how: string }> {
  const places = (await readFile(join(ROOT, file), 'utf8')).split(text).length - 1;
  if (places !== 1) return { caught: false, how: `its text occurs ${places} times in ${file}` };
  const change = (original: string): string => original.replace(text, () => by);
  await bundle('test/sim/main.ts', { outfile, replacement: { file, change } });
  const range = ['--from', String(from), '--seeds', String(seeds)];
  const output = await runSimulator(outfile, ['--lifecycle', lifecycle, ...range]);
  const [, seed, named] = /: seed (\d+) breaks (\S+):/.exec(output) ?? [];
  if (seed === undefined || named === undefined) {
    return { caught: false, how: `no violation in ${seeds} seeds: ${output.slice(-300).trim()}` };
  }
  const how = `seed ${seed} breaks ${named}`;
  return { caught: breaks.includes(named), how: `${how}, expected ${breaks.join(' or ')}` };
}

function runSimulator(script: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // The error is ignored, because the output already shows whether a seed has failed.
    execFile(process.execPath, [script, ...args], (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}
