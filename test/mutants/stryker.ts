/** Runs StrykerJS on one module in a process of its own and reads its report. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import type { MutantModule } from './modules.ts';
import { triedMutants, type StrykerReport, type TriedMutant } from './report.ts';

/** Ignored by git: what is in here is of this checkout, and is only a saving. */
export const REPORTS = 'reports/mutants';

/** A mutant that keeps the tests busy for longer is counted as killed; a slow machine must not count. */
const TIMEOUT_MS = 20_000;

export interface StrykerOrder {
  readonly module: MutantModule;
  /** Files, or file:first-last. */
  readonly mutate: readonly string[];
  /** Keeps results for the next run; parts of files are never kept. */
  readonly incremental: boolean;
  /** Tries those again whose results were kept. */
  readonly force: boolean;
  readonly concurrency: number;
}

/** Throws when StrykerJS fails, as it does where the tests fail without any mutant. */
export async function runStryker(order: StrykerOrder): Promise<TriedMutant[]> {
  const { name, tests } = order.module;
  mkdirSync(REPORTS, { recursive: true });
  const config = join(REPORTS, `${name}.config.json`);
  const report = join(REPORTS, `${name}.json`);
  rmSync(report, { force: true });
  writeFileSync(config, JSON.stringify(configOf(order, report), null, 2));
  const child = spawn(
    process.execPath,
    ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config],
    { stdio: 'inherit', env: { ...process.env, MUTANT_TESTS: tests.join(',') } },
  );
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const [code] = (await once(child, 'close')) as [number | null];
  process.off('SIGINT', forward).off('SIGTERM', forward);
  if (code !== 0) throw new Error(`StrykerJS failed on module ${name} (exit code ${code})`);
  return triedMutants(JSON.parse(readFileSync(report, 'utf8')) as StrykerReport);
}

function configOf(order: StrykerOrder, report: string): object {
  const { module, mutate, incremental, force, concurrency } = order;
  return {
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    // TypeScript 7 has no API that StrykerJS knows; a file that does not exist keeps it away.
    tsconfigFile: 'none',
    mutate,
    coverageAnalysis: 'perTest',
    // A constant of a module is evaluated before a mutant is switched on.
    ignoreStatic: true,
    incremental,
    incrementalFile: join(REPORTS, `${module.name}.incremental.json`),
    force: incremental && force,
    concurrency,
    timeoutMS: TIMEOUT_MS,
    tempDirName: '.stryker-tmp',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    allowEmpty: true,
  };
}
