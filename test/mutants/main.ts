/**
 * `npm run mutants [-- OPTIONS]`: changes decision code in one place at a time, and expects the unit tests next to it
 * to fail. Prints the score of each module. Fails below the floor of a module, or if an accepted survivor is stale.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { projectFiles } from '../project-files.ts';
import { chooseChanges, type LineRange } from './changes.ts';
import { baseOfTheDay, problemOfBase, rangesSince } from './git-changes.ts';
import { judge } from './judge.ts';
import { mutatedFiles, type MutantModule } from './mutant-module.ts';
import { instrument } from './instrument.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { problemsOf, scoreTable, survivorText, type Row } from './score-table.ts';
import { survivorList } from './survivor-lists.ts';
import { REPORTS, tryMutants } from './try-mutants.ts';

interface Part {
  readonly module: MutantModule;
  readonly files: readonly string[];
  /** Lines whose mutants are tried; empty: all lines of the files. */
  readonly ranges: readonly LineRange[];
  readonly judged: boolean;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), projectFiles());
  if (typeof options === 'string') return refuse(options);
  const [base] = options.rest;
  const problem = options.changed && base !== undefined ? problemOfBase(base) : null;
  if (problem !== null) return refuse(problem);
  const rows: Row[] = [];
  for (const part of options.changed ? changedParts(options) : partsOf(options)) {
    rows.push(await tryPart(part));
  }
  return close(rows);
}

function refuse(problem: string): number {
  console.error(`mutants: ${problem}\n\n${USAGE}`);
  return 2;
}

async function tryPart({ module, files, ranges, judged }: Part): Promise<Row> {
  const instrumented = await instrument(files, ranges);
  console.log(`== ${module.name}: ${instrumented.mutants.length} mutants`);
  const { tried, constants, once } = await tryMutants({
    instrumented,
    tests: module.tests,
    leftOut: module.actingTests,
  });
  for (const { name, error } of once) {
    console.log(`Judges nothing, since it fails when it runs again: ${name}: ${error}`);
  }
  writeFileSync(join(REPORTS, `${module.name}.json`), JSON.stringify(tried, null, 2));
  const judgement = judge(tried, survivorList(module.name));
  // If only a part of a file was tried, an entry of the survivors may be of another part, so none counts as stale.
  const stale = ranges.length === 0 ? judgement.stale : [];
  return { module, judgement: { ...judgement, stale }, constants: constants.length, judged };
}

function partsOf({ modules, rest }: Options): Part[] {
  const all = projectFiles();
  const judged = rest.length === 0;
  return modules
    .map((module) => {
      const files = mutatedFiles(module, all).filter((file) => judged || rest.includes(file));
      return { module, files, ranges: [], judged };
    })
    .filter(({ files }) => files.length > 0);
}

function changedParts({ modules, rest, lines }: Options): Part[] {
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
    const files = [...new Set(ranges.map(({ file }) => file))];
    return { module, files, ranges, judged: true };
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
