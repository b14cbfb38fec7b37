/**
 * `npm run mutants [-- OPTIONS]`: breaks the code that decides, one place at a time, and expects the unit tests next to it to
 * be red. Prints the score of each module, and fails below the floor of a module or where a listed survivor is stale.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';

import { projectFiles } from '../project-files.ts';
import { chooseChanges, type LineRange } from './changes.ts';
import { baseOfTheDay, rangesSince } from './git-changes.ts';
import { judge } from './judge.ts';
import { mutantModules, mutatedFiles, type MutantModule } from './modules.ts';
import { problemsOf, scoreTable, survivorText, type Row } from './score-table.ts';
import { REPORTS, runStryker, type StrykerOrder } from './stryker.ts';
import { survivorList } from './survivor-lists.ts';

const USAGE = `Usage: npm run mutants [-- [--module NAME]... [FILE]... [--force] [--concurrency N]]
       npm run mutants -- --changed [BASE] [--module NAME]... [--lines N] [--concurrency N]

Without options every module is tried, in hours. Results are kept in ${REPORTS}; the next run takes minutes.

--module NAME    only this module: ${mutantModules.map(({ name }) => name).join(', ')}
FILE             only these files of the modules; floors are not judged
--force          try again what an earlier run has tried
--changed [BASE] only lines that changed since BASE; default: since a day before the last commit
--lines N        with --changed: at most N changed lines; what is left out is printed
--concurrency N  processes that try mutants; default: 2`;

/** Some 300 mutants: about six minutes of one processor. */
const CHANGED_LINES_MAX = 400;

type Try = Omit<StrykerOrder, 'concurrency' | 'module'>;
type Plan = readonly {
  readonly module: MutantModule;
  readonly order: Try;
  readonly judged: boolean;
}[];

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') {
    console.error(`mutants: ${options}\n\n${USAGE}`);
    return 2;
  }
  const plan = options.changed ? planChanged(options) : planModules(options);
  const rows: Row[] = [];
  for (const { module, order, judged } of plan) {
    console.log(`== mutants of ${module.name}`);
    const tried = await runStryker({ ...order, module, concurrency: options.concurrency });
    const judgement = judge(tried, survivorList(module.name));
    const stale = order.incremental ? judgement.stale : [];
    rows.push({ module, judgement: { ...judgement, stale }, judged });
  }
  return close(rows);
}

interface Options {
  readonly modules: readonly MutantModule[];
  readonly rest: readonly string[];
  readonly changed: boolean;
  readonly force: boolean;
  readonly lines: number;
  readonly concurrency: number;
}

/** A string is what is wrong with them. */
function readOptions(): Options | string {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      module: { type: 'string', multiple: true },
      changed: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      lines: { type: 'string', default: `${CHANGED_LINES_MAX}` },
      concurrency: { type: 'string', default: '2' },
    },
  });
  const names = values.module ?? mutantModules.map(({ name }) => name);
  const unknown = names.filter((name) => mutantModules.every((one) => one.name !== name));
  if (unknown.length > 0) return `there is no module ${unknown.join(', ')}`;
  const [lines = 0, concurrency = 0] = [values.lines, values.concurrency].map(Number);
  if (!(lines > 0 && concurrency > 0)) return '--lines and --concurrency take numbers from 1';
  const modules = mutantModules.filter(({ name }) => names.includes(name));
  return {
    modules,
    rest: positionals,
    changed: values.changed,
    force: values.force,
    lines,
    concurrency,
  };
}

function planModules({ modules, rest, force }: Options): Plan {
  const files = projectFiles();
  return modules.flatMap((module) => {
    const all = mutatedFiles(module, files);
    const mutate = rest.length === 0 ? all : all.filter((file) => rest.includes(file));
    const order = { mutate, incremental: true, force };
    return mutate.length === 0 ? [] : { module, order, judged: rest.length === 0 };
  });
}

function planChanged({ modules, rest, lines }: Options): Plan {
  const base = rest[0] ?? baseOfTheDay();
  if (base === null) {
    console.log('No commit is a day older than the last one: nothing to compare with.');
    return [];
  }
  const { byModule, leftOut } = chooseChanges(rangesSince(base), modules, lines);
  console.log(`Lines that changed since ${base}:`);
  for (const { ranges } of byModule) console.log(ranges.map(place).join('\n'));
  if (leftOut.length > 0) {
    console.log(`Left out beyond ${lines} lines:\n${leftOut.map(place).join('\n')}`);
  }
  return byModule.map(({ module, ranges }) => {
    const order = { mutate: ranges.map(place), incremental: false, force: false };
    return { module, order, judged: true };
  });
}

function place({ file, first, last }: LineRange): string {
  return `${file}:${first}-${last}`;
}

function close(rows: readonly Row[]): number {
  for (const { judgement } of rows) {
    for (const mutant of judgement.open) console.log(survivorText(mutant));
  }
  console.log(scoreTable(rows));
  const problems = rows.flatMap(problemsOf);
  for (const problem of problems) console.log(`MISSED  ${problem}`);
  const failed = new Set(problems.map((problem) => problem.split(':', 1)[0])).size;
  console.log(`${rows.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
