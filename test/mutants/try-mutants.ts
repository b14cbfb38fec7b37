/** Tries mutants: vitest runs the tests, in one process, on code that has all mutants behind switches. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { startVitest } from 'vitest/node';

import type { Instrumented, Mutant } from './instrument.ts';
import { Progress, type OnceTest, type Report, type TriesOrder } from './journal.ts';

/** Directory of the reports, ignored by git. */
export const REPORTS = 'reports/mutants';

/**
 * Time limits of a test in each pass, in milliseconds. Quick tests run first, so that slow tests run only for surviving
 * mutants.
 */
const PASSES_MS = [10, 100, Infinity];

/**
 * Milliseconds without a report after which the process counts as hung: it is in a loop that evaluates no switch of a
 * mutant, and so cannot be stopped from inside.
 */
const STALL_MS = 60_000;

export interface TriedMutant extends Mutant {
  readonly killed: boolean;
  /** The first test that failed, and its error. */
  readonly killedBy?: string | undefined;
}

export interface Tried {
  readonly tried: readonly TriedMutant[];
  /** Mutants that were not tried: they are evaluated only while a module loads, when no mutant is on. */
  readonly constants: readonly Mutant[];
  /** Tests that passed only once, so their results prove nothing. */
  readonly once: readonly OnceTest[];
}

export interface Trial {
  readonly instrumented: Instrumented;
  /** Test files, and directories, which stand for the unit tests directly in them. */
  readonly tests: readonly string[];
  /** Files in those directories to exclude. */
  readonly leftOut?: readonly string[] | undefined;
  readonly stallMs?: number;
}

/** Throws if a test fails without a mutant. */
export async function tryMutants(trial: Trial): Promise<Tried> {
  const progress = new Progress();
  let include = trial.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/*.test.ts`));
  let only: string[] | null = null;
  for (const slowMs of PASSES_MS) {
    while (!(await runPass(trial, { progress, include, only, slowMs })));
    if (progress.red.length > 0) {
      throw new Error(`These fail without a mutant:\n${progress.red.join('\n')}`);
    }
    const later = progress.takeLater();
    if (later.size === 0) break;
    only = [...later.keys()];
    include = [...new Set([...later.values()].map(({ file }) => file))];
  }
  const { mutants } = trial.instrumented;
  const isConstant = ({ id }: Mutant): boolean =>
    progress.loading.has(id) && !progress.covered.has(id);
  return {
    tried: mutants
      .filter((mutant) => !isConstant(mutant))
      .map((mutant) => {
        const killedBy = progress.killed.get(mutant.id);
        return { ...mutant, killed: killedBy !== undefined, killedBy };
      }),
    constants: mutants.filter(isConstant),
    once: progress.once,
  };
}

interface Pass {
  readonly progress: Progress;
  readonly include: readonly string[];
  readonly only: readonly string[] | null;
  readonly slowMs: number;
}

/** Runs one pass. False: a mutant ended the process, so the pass must continue in another process. */
async function runPass(
  { instrumented, leftOut = [], stallMs = STALL_MS }: Trial,
  { progress, include, only, slowMs }: Pass,
): Promise<boolean> {
  const journal = join(process.cwd(), REPORTS, `${process.pid}.journal`);
  mkdirSync(REPORTS, { recursive: true });
  rmSync(journal, { force: true });
  const watch = setInterval(() => {
    killStalled(journal, stallMs);
  }, stallMs / 10);
  let files = 0;
  try {
    files = await runTests(
      instrumented.code,
      { include, exclude: leftOut },
      {
        journal,
        killed: [...progress.killed.keys()],
        done: [...progress.done, ...progress.later.keys()],
        only,
        slowMs,
      },
    );
  } finally {
    clearInterval(watch);
  }
  return progress.add(read(journal), files);
}

/** Runs the tests; resolves with the number of test files. */
async function runTests(
  code: ReadonlyMap<string, string>,
  { include, exclude }: Record<'include' | 'exclude', readonly string[]>,
  triesOrder: TriesOrder,
): Promise<number> {
  const root = process.cwd();
  const byPath = new Map([...code].map(([file, text]) => [join(root, file), text]));
  const vitest = await startVitest(
    'test',
    [],
    {
      config: false,
      root,
      watch: false,
      include: [...include],
      exclude: ['**/*.tools.test.ts', '**/node_modules/**', ...exclude],
      runner: join(import.meta.dirname, 'tries-runner.ts'),
      provide: { triesOrder },
      setupFiles: 'test/fixed-seed.ts',
      pool: 'forks',
      isolate: false,
      // No time limit here, because the runner has its own limits.
      testTimeout: 0,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      maxWorkers: 1,
      execArgv: ['--no-warnings'],
      reporters: [{}],
      silent: true,
      dangerouslyIgnoreUnhandledErrors: true,
      cache: false,
    },
    {
      logLevel: 'silent',
      plugins: [{ name: 'mutants', enforce: 'pre', transform: (_, id) => byPath.get(id) }],
    },
  );
  const files = vitest.state.getFiles().length;
  await vitest.close();
  return files;
}

function read(journal: string): Report[] {
  if (!existsSync(journal)) return [];
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Report);
}

function killStalled(journal: string, stallMs: number): void {
  const written = statSync(journal, { throwIfNoEntry: false });
  if (written === undefined || Date.now() - written.mtimeMs < stallMs) return;
  const reports = read(journal);
  const [first, last] = [reports[0], reports.at(-1)];
  // A process without a mutant may be silent for long, for example while it loads files.
  if (last === undefined || !('trying' in last) || first === undefined || !('pid' in first)) return;
  try {
    process.kill(first.pid, 'SIGKILL');
  } catch {
    // The process has exited meanwhile.
  }
}
