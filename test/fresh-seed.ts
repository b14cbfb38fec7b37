/**
 * `npm run test:fresh [-- --seed S]`: the property tests and the fuzz targets with a new seed, which is printed first.
 * A failure is replayed with that seed, and kept as an example in its test.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { projectFiles } from './project-files.ts';

const SEED_LIMIT = 2 ** 31;
const FUZZ_RUNS = 2_000;

const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const given = values.seed ?? `${randomInt(SEED_LIMIT)}`;
const seed = Number(given);
if (!/^\d+$/.test(given) || seed >= SEED_LIMIT) {
  console.error(`test:fresh: --seed takes a whole number below ${SEED_LIMIT}, not "${given}"`);
  process.exit(2);
}
console.log(`seed ${seed}; again: npm run test:fresh -- --seed ${seed}`);

const properties = projectFiles().filter(
  (path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes("'fast-check'"),
);
const fuzz = [
  '--import',
  'tsx',
  'test/fuzz/main.ts',
  '--runs',
  `${FUZZ_RUNS}`,
  '--seed',
  `${seed}`,
];
const codes = [
  run(['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...properties]),
  run(fuzz),
];
if (codes.some((code) => code !== 0)) {
  console.error(`seed ${seed} fails; again: npm run test:fresh -- --seed ${seed}`);
  process.exitCode = 1;
}

function run(args: readonly string[]): number {
  const env = { ...process.env, LIFEHOOK_TEST_SEED: `${seed}` };
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
}
