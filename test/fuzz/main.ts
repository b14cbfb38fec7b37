/**
 * `npm run fuzz -- [NAME...] [--runs N] [--seed S]`: random inputs for the parsers of users' files. Without a name it
 * runs every target. A failure prints the command that replays it.
 */
import { parseArgs } from 'node:util';

import { fuzzHooks010, fuzzHooks100 } from './hook-files.ts';
import { fuzzEnvFile, fuzzSetEnv } from './hook-values.ts';
import { fuzzPipelineConfig } from './pipeline-config.ts';
import { fuzzSplice } from './splice.ts';

/** Throws with the smallest failing case. */
type FuzzTarget = (options: {
  readonly runs: number;
  readonly seed: number;
}) => void | Promise<void>;

const targets: Readonly<Record<string, FuzzTarget>> = {
  'env-file': fuzzEnvFile,
  'hooks-0-1-0': fuzzHooks010,
  'hooks-1-0-0': fuzzHooks100,
  'set-env': fuzzSetEnv,
  'pipeline-config': fuzzPipelineConfig,
  splice: fuzzSplice,
};

const RUNS_DEFAULT = 10_000;
const SEED_LIMIT = 2 ** 31;
const WRONG_USE = 2;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: 'string' }, seed: { type: 'string' } },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(targets);
  const runs = Number(values.runs ?? RUNS_DEFAULT);
  const seed = Number(values.seed ?? Date.now() % SEED_LIMIT);
  const unknown = names.filter((name) => targets[name] === undefined);
  if (
    unknown.length > 0 ||
    !Number.isSafeInteger(runs) ||
    runs < 1 ||
    !Number.isSafeInteger(seed)
  ) {
    console.error(
      `usage: npm run fuzz -- [${Object.keys(targets).join('|')}]... [--runs N] [--seed S]`,
    );
    return WRONG_USE;
  }
  return runAll(names, { runs, seed });
}

async function runAll(
  names: readonly string[],
  options: { runs: number; seed: number },
): Promise<number> {
  let failed = 0;
  for (const name of names) if (!(await passes(name, options))) failed += 1;
  console.log(`${options.runs * (names.length - failed)} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function passes(name: string, options: { runs: number; seed: number }): Promise<boolean> {
  const { runs, seed } = options;
  try {
    await targets[name]?.(options);
    console.log(`${name}: ${runs} runs, seed ${seed}`);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`${name} failed; again: npm run fuzz -- ${name} --runs ${runs} --seed ${seed}`);
    return false;
  }
}
