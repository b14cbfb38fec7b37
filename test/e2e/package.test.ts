/**
 * The content of `npm install lifehook`: packs the package from the build, and installs it without a network in an
 * empty directory.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Sbom } from '../../scripts/sbom.ts';
import { type Ended, run } from './cluster-stand.ts';
import { commandWords } from './command-words.ts';

const PACKAGES_MAX = 5;
const INSTALLED_BYTES_MAX = 15_000_000;
const PACKED_BYTES_MAX = 5_000_000;
/** Number of commands that run in parallel. */
const AT_ONCE = 3;

let folder: string;
let archive: string;
const project = (): string => join(folder, 'project');
const installed = (): string => join(project(), 'node_modules/lifehook');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-package-'));
  // Skips prepack, which would rebuild the build that other tests use.
  npm('pack', '--ignore-scripts', '--pack-destination', folder);
  archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(project());
  writeFileSync(join(project(), 'package.json'), '{ "type": "module" }');
  const cache = join(folder, 'empty-cache');
  npm('install', '--prefix', project(), '--offline', '--cache', cache, '--no-audit', archive);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function npm(...args: readonly string[]): void {
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

const lifehook = (...args: readonly string[]): Promise<Ended> =>
  run(join(project(), 'node_modules/.bin/lifehook'), args);

/** Paths relative to the package. */
function filesIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}

interface Locked {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

function neededBy({ dependencies, optionalDependencies }: Locked = {}): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

function isForHere({ os, cpu }: Locked = {}): boolean {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
}

it('needs no other package, and installs within its size', () => {
  expect(
    readdirSync(join(project(), 'node_modules')).filter((name) => !name.startsWith('.')),
  ).toEqual(['lifehook']);
  const bytes = filesIn(installed()).map((path) => statSync(join(installed(), path)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(INSTALLED_BYTES_MAX);
  expect(statSync(archive).size).toBeLessThan(PACKED_BYTES_MAX);
});

it('brings few packages where the optional ones can be loaded', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const brought = new Set(['']);
  for (const path of brought) {
    for (const name of neededBy(packages[path])) {
      const other = `node_modules/${name}`;
      if (isForHere(packages[other])) brought.add(other);
    }
  }
  expect([...brought]).toContain('node_modules/@lydell/node-pty');
  expect(brought.size, [...brought].join(', ')).toBeLessThanOrEqual(PACKAGES_MAX);
});

it('has no native program, no test and no source', () => {
  const wrong = filesIn(installed()).filter((path) =>
    /^dist\/shim|\.test\.|(?<!\.d)\.ts$/.test(path),
  );
  expect(wrong).toEqual([]);
});

it('has no program that looks for packages without a place to begin', () => {
  const files = readdirSync(join(installed(), 'dist')).filter((name) => /\.c?js$/u.test(name));
  const hasEmpty = (name: string): boolean =>
    readFileSync(join(installed(), 'dist', name), 'utf8').includes('import_meta');
  expect(files).toContain('supervise.js');
  // In CommonJS, esbuild makes `import.meta` an empty object of this name.
  expect(files.filter(hasEmpty)).toEqual([]);
});

it('names the licence of every package that is compiled in', () => {
  const read = (name: string): string => readFileSync(join(installed(), 'dist', name), 'utf8');
  const { components } = JSON.parse(read('sbom.cdx.json')) as Sbom;
  const titles = components.map(({ name, version, licenses }) => {
    const [licence] = licenses ?? [];
    return `\n${name} ${version} (${licence?.expression ?? 'none'})\n`;
  });
  const text = read('THIRD-PARTY-LICENCES.txt');
  expect(titles.length).toBeGreaterThan(20);
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
});

it('starts every command', async () => {
  const commands = [...commandWords(join(installed(), 'dist/lifehook.js')).keys()];
  expect(commands.length).toBeGreaterThan(50);
  const wrong: string[] = [];
  const start = async (command: string): Promise<void> => {
    const { code, stdout, stderr } = await lifehook(...command.split(' '), '--help');
    const isHelp = stdout.startsWith(`Usage: lifehook ${command}`);
    if (code !== 0 || stderr !== '' || !isHelp) wrong.push(`${command}: ${code} ${stderr}`);
  };
  const left = commands.filter((command) => command !== '');
  const startNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await start(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startNext));
  expect(wrong).toEqual([]);
});

it('starts a cluster, answers from it and stops it', async () => {
  const state = ['--state-dir', join(folder, 'state')];
  try {
    expect(await lifehook('up', ...state)).toMatchObject({ code: 0, stderr: '' });
    const kubeconfig = ['--kubeconfig', join(folder, 'state/kubeconfig')];
    expect(await lifehook('snapshot', 'list', ...kubeconfig)).toMatchObject({
      code: 0,
      stderr: '',
    });
  } finally {
    expect(await lifehook('down', '--delete', ...state)).toMatchObject({ code: 0, stderr: '' });
  }
});

it('can be imported, with its types', async () => {
  symlinkSync(resolve('node_modules/@types'), join(project(), 'node_modules/@types'));
  const program = `import { listRecipes, type RecipeSummary } from 'lifehook';
const first: RecipeSummary | undefined = listRecipes()[0];
console.log(typeof first?.name);
`;
  writeFileSync(join(project(), 'program.ts'), program);
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const flags = [
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
  ];
  const at = ['--rootDir', project(), '--outDir', project(), join(project(), 'program.ts')];
  expect(await run(process.execPath, [compiler, ...flags, ...at])).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect(await run(process.execPath, [join(project(), 'program.js')])).toEqual({
    code: 0,
    stdout: 'string\n',
    stderr: '',
  });
});
