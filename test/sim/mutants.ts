/**
 * `npm run sim:mutants [-- --lifecycle NAME]`: proof that the simulator can fail. Each kept mutant breaks the product in one
 * place, in a copy of it; its seeds have to find that, and to name the invariant. A mutant whose text
 * is no longer there fails as well: it proves nothing.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

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
const COPIED = ['src', 'test/sim', 'package.json', 'tsconfig.json'];

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
  const copy = await mkdtemp(join(tmpdir(), 'lifehook-mutants-'));
  try {
    for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    return await tryAll(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function tryAll(copy: string): Promise<number> {
  let failed = 0;
  let passed = 0;
  for (const [lifecycle, list] of Object.entries(mutants)) {
    if (lifecycle !== (chosen.lifecycle ?? lifecycle)) continue;
    for (const mutant of list) {
      const verdict = await tryMutant(copy, lifecycle, mutant);
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
  copy: string,
  lifecycle: string,
  { file, text, by, breaks, seeds = DEFAULT_SEEDS }: Mutant,
): Promise<{ caught: boolean; how: string }> {
  const path = join(copy, file);
  const original = await readFile(path, 'utf8');
  const places = original.split(text).length - 1;
  if (places !== 1) return { caught: false, how: `its text occurs ${places} times in ${file}` };
  await writeFile(
    path,
    original.replace(text, () => by),
  );
  try {
    const output = await runSimulator(copy, ['--lifecycle', lifecycle, '--seeds', String(seeds)]);
    const [, seed, named] = /: seed (\d+) breaks (\S+):/.exec(output) ?? [];
    if (seed === undefined || named === undefined) {
      return { caught: false, how: `no violation in ${seeds} seeds: ${output.slice(-300).trim()}` };
    }
    const how = `seed ${seed} breaks ${named}`;
    return { caught: breaks.includes(named), how: `${how}, expected ${breaks.join(' or ')}` };
  } finally {
    await writeFile(path, original);
  }
}

function runSimulator(folder: string, args: readonly string[]): Promise<string> {
  const program = [join('node_modules', 'tsx', 'dist', 'cli.mjs'), join('test', 'sim', 'main.ts')];
  return new Promise((resolve) => {
    // Its exit code says the same as its output.
    execFile(process.execPath, [...program, ...args], { cwd: folder }, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}
