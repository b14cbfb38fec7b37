/**
 * `npm run sim:mutants [-- --lifecycle NAME]` proves that the simulator can find defects. For each kept mutant, it
 * changes one place of the product in a bundle. The seeds must then find a violation of the mutant's invariant. A
 * mutant whose text no longer exists fails too, because it proves nothing.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundle } from './bundle.ts';
import { readMutantOptions } from './command-options.ts';
import { keptMutants, type Mutant } from './kept-mutants.ts';

const DEFAULT_SEEDS = 3_000;
const ROOT = join(import.meta.dirname, '../..');

process.exitCode = await main();

async function main(): Promise<number> {
  const names = readMutantOptions(process.argv.slice(2));
  if (typeof names === 'string') {
    console.error(names);
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-mutants-'));
  try {
    return await tryAll(folder, names);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function tryAll(folder: string, names: readonly string[]): Promise<number> {
  let failed = 0;
  let passed = 0;
  for (const lifecycle of names) {
    for (const mutant of keptMutants[lifecycle] ?? []) {
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
    // The error is ignored, because the output already shows whether a seed has failed.
    execFile(process.execPath, [script, ...args], (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}
