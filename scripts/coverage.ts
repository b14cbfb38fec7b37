/**
 * `npm run coverage`: runs the unit tests, and prints the percentage of lines and branches that they execute in each
 * directory. The exit code is that of the tests.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

interface Count {
  readonly total: number;
  readonly covered: number;
}

interface FileCoverage {
  readonly lines: Count;
  readonly branches: Count;
}

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--coverage'];

/**
 * The part of a path that gets a row: each lifecycle, and each directory such as src/kube, packages/local-cluster or
 * shim.
 */
const DIRECTORY = /^(?:src\/lifecycles\/[^/]+|(?:src|packages)\/[^/]+|[^/]+)(?=\/)/;

process.exitCode = spawnSync(process.execPath, VITEST, { stdio: 'inherit' }).status ?? 1;

const summary = JSON.parse(readFileSync('coverage/coverage-summary.json', 'utf8')) as Record<
  string,
  FileCoverage
>;
const { total, ...files } = summary;
const directories = new Map<string, FileCoverage[]>();
for (const [path, coverage] of Object.entries(files)) {
  const directory = DIRECTORY.exec(relative(process.cwd(), path))?.[0] ?? 'src';
  directories.set(directory, [...(directories.get(directory) ?? []), coverage]);
}

console.log(row('directory', ['files', 'lines', '% lines', '% branches']));
for (const directory of [...directories.keys()].toSorted()) {
  console.log(figures(directory, directories.get(directory) ?? []));
}
console.log(figures('all', total === undefined ? [] : [total], Object.keys(files).length));

function figures(name: string, found: readonly FileCoverage[], fileCount = found.length): string {
  const lines = sum(found.map((file) => file.lines));
  const branches = sum(found.map((file) => file.branches));
  return row(name, [`${fileCount}`, `${lines.total}`, percent(lines), percent(branches)]);
}

function sum(counts: readonly Count[]): Count {
  return {
    total: counts.reduce((before, { total: more }) => before + more, 0),
    covered: counts.reduce((before, { covered: more }) => before + more, 0),
  };
}

function percent({ total: all, covered }: Count): string {
  return all === 0 ? '-' : ((covered / all) * 100).toFixed(1);
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(11)).join('');
}
