/**
 * Each lifecycle can be deleted.
 *
 * The test deletes it in a copy of the product: the directories of the lifecycle, and its lines in the tables of the
 * command line, the entry of the library and the union of events. Then it compiles the rest.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

/** The directories of each lifecycle; the container lifecycle also has the native programs. */
const LIFECYCLES = ['container', 'pipeline', 'pod', 'rollout', 'snapshot'].map((name) => ({
  name,
  directories: [
    `src/lifecycles/${name}`,
    `src/cli/${name}`,
    `src/timeline/sources/${name}`,
    `src/observe/${name}`,
    `src/library/${name}`,
    ...(name === 'container' ? ['shim'] : []),
  ],
}));

/** The files that have lines for each lifecycle. */
const TABLES = [
  'src/cli/lifecycle-commands.ts',
  'src/cli/lifecycle-controllers.ts',
  'src/cli/lifecycle-kinds.ts',
  'src/cli/lifecycle-manifests.ts',
  'src/cli/lifecycle-runners.ts',
  'src/cli/lifecycles.ts',
  'src/library/lifehook.ts',
  'src/observe/observed-event.ts',
];

/**
 * Matches a statement that imports or exports from a module of the lifecycle; the formatter may split it over lines.
 */
const statementOf = (name: string): RegExp =>
  new RegExp(
    `^(?:import|export) [^;]*from '\\.{1,2}/(?:lifecycles/|timeline/sources/)?${name}/[^']*';\n`,
    'gmu',
  );

/** Matches a key of the table with its value, on one line or as a block; or a member of the union of events. */
const entryOf = (name: string): RegExp =>
  new RegExp(
    `^  ${name}: (?:[\\[{]\n(?:    .*\n)*  [\\]}]|.*),?\n|^  \\| ${name}LifecycleEvent.*\n`,
    'gimu',
  );

/** Copies the product without its tests, because tests may use every lifecycle. */
function copyProduct(): string {
  const copy = mkdtempSync(join(tmpdir(), 'delete-lifecycle-'));
  onTestFinished(() => {
    rmSync(copy, { recursive: true, force: true });
  });
  const isProduct = (path: string): boolean => !/\.test\.ts$|timeline\/web$/u.test(path);
  for (const directory of ['src', 'shim', 'packages/local-cluster/src']) {
    cpSync(directory, join(copy, directory), { recursive: true, filter: isProduct });
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), readFileSync('package.json'));
  const settings = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { noEmit: true, incremental: false },
    include: ['src', 'shim'],
    exclude: [],
  };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(settings));
  return copy;
}

/** The errors of the compiler, one per line. */
async function typeErrors(directory: string): Promise<string> {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [compiler, '-p', directory], {
    cwd: directory,
    maxBuffer: 16_777_216,
  });
  try {
    return (await run).stdout;
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

it.each(LIFECYCLES)('compiles without the $name lifecycle', async ({ name, directories }) => {
  const copy = copyProduct();
  for (const directory of directories) {
    rmSync(join(copy, directory), { recursive: true, force: true });
  }
  for (const table of TABLES) {
    const text = readFileSync(table, 'utf8');
    const others = text.replace(statementOf(name), '').replace(entryOf(name), '');
    writeFileSync(join(copy, table), others);
  }
  expect(await typeErrors(copy)).toBe('');
});
