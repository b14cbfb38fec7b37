/**
 * Builds the shim programs. With QuickJS' compiler (qjsc, on PATH or in $QUICKJS_HOME/bin) and a C compiler it builds
 * native programs into dist/shim; otherwise Node programs, which take 60 ms longer to start. With --node it always
 * builds the Node programs, into dist/shim-node. --out FOLDER sets another directory.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';

import { findExecutable, pathFolders } from '../src/cli/real-runtime.ts';

const programs = ['runtime', 'hook', 'supervise', 'launch'];
/** Programs that are useful only as native ones: `launch` avoids the fork of a large process. */
const onlyNative: readonly string[] = ['launch'];
const onlyNode = process.argv.includes('--node');
const outFolder = namedFolder() ?? (onlyNode ? 'dist/shim-node' : 'dist/shim');
const cSources = ['main', 'memory', 'native', 'ends', 'fingerprint', 'supervisor'].map(
  (name) => `shim/${name}.c`,
);

/** Hosts of programs for which the default host is not enough, such as the supervisor. */
const nativeHosts: Readonly<Record<string, string>> = {
  supervise: 'shim/quickjs-supervisor-host.ts',
};
const nodeHosts: Readonly<Record<string, string>> = {
  supervise: 'src/platform/node-supervisor-host.ts',
};

/** Rarely needed parts of a program, which are compiled separately and loaded on import. */
const lazyParts: Readonly<Record<string, readonly string[]>> = {
  runtime: ['inject-matching', 'forgetful-runtime', 'seldom', 'settle-postexit'],
};

const shared: BuildOptions = {
  bundle: true,
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};

await mkdir(outFolder, { recursive: true });
const found = onlyNode ? null : findTools();
for (const program of programs) {
  const target = join(outFolder, `lifehook-${program}`);
  if (found === null && onlyNative.includes(program)) {
    await rm(target, { force: true });
    continue;
  }
  await (found === null ? buildForNode(program, target) : buildNative(program, target, found));
  await chmod(target, 0o755);
}
console.log(
  found === null
    ? `${outFolder}: Node programs${onlyNode ? '' : ' (no qjsc or no C compiler was found; see docs/decisions/shim-native-module.md)'}`
    : `${outFolder}: native programs`,
);

function namedFolder(): string | undefined {
  const at = process.argv.indexOf('--out');
  return at === -1 ? undefined : process.argv[at + 1];
}

interface Tools {
  readonly qjsc: string;
  readonly cCompiler: string;
  /** Directory of quickjs-libc.h; `library` is that of libquickjs.a. */
  readonly include: string;
  readonly library: string;
}

function findTools(): Tools | null {
  const qjsc = findProgram('qjsc', [join(process.env['QUICKJS_HOME'] ?? '', 'bin')]);
  const cCompiler = findProgram('gcc', []) ?? findProgram('cc', []);
  if (qjsc === null || cCompiler === null) return null;
  const home = dirname(dirname(qjsc));
  const include = firstWith('quickjs-libc.h', [join(home, 'include/quickjs')]);
  const library = firstWith('libquickjs.a', [join(home, 'lib/quickjs')]);
  return include === null || library === null ? null : { qjsc, cCompiler, include, library };
}

function findProgram(name: string, more: readonly string[]): string | null {
  return findExecutable(name, [...more, ...pathFolders()]);
}

function firstWith(file: string, folders: readonly string[]): string | null {
  return folders.find((folder) => existsSync(join(folder, file))) ?? null;
}

type Entry = NonNullable<BuildOptions['stdin']>;

/** A program with its host. It has no top-level await: QuickJS 2025-04 may sleep there although jobs are pending. */
function entry(program: string, host: string): Entry {
  const contents = `import { host } from './${host}';
import { main } from './shim/${program}.ts';
void main(host);`;
  return { contents, resolveDir: process.cwd(), loader: 'ts' };
}

/**
 * Bundles a program for Node, and marks its directory as CommonJS: the package.json of this checkout would make it ESM.
 */
async function buildForNode(program: string, target: string): Promise<void> {
  await writeFile(join(outFolder, 'package.json'), '{ "type": "commonjs" }\n');
  await build({
    ...shared,
    format: 'cjs',
    stdin: entry(program, nodeHosts[program] ?? 'src/platform/node-shim-host.ts'),
    outfile: target,
    platform: 'node',
    target: 'node20.19',
    // An absolute path, because a hook may have no PATH.
    banner: { js: `#!${process.execPath}` },
  });
}

async function buildNative(program: string, target: string, using: Tools): Promise<void> {
  const work = await mkdtemp(join(outFolder, '.build-'));
  const parts = lazyParts[program] ?? [];
  try {
    const bundles = [
      await bundle(
        join(work, 'program.js'),
        entry(program, nativeHosts[program] ?? 'shim/quickjs-host.ts'),
        parts,
      ),
    ];
    for (const part of parts) {
      const contents = `export * from './src/lifecycles/container/shim/${part}.ts';`;
      const stdin: Entry = { contents, resolveDir: process.cwd(), loader: 'ts' };
      bundles.push(await bundle(join(work, `${part}.js`), stdin, parts));
    }
    const table = join(work, 'texts.c');
    await writeFile(table, textTable(['program', ...parts]));
    const texts = bundles.map((file) => compile(file, using));
    const linked = join(work, program);
    link(linked, [table, ...texts], using);
    // Replaces the file atomically, because the old program may be running.
    await rename(linked, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The table in which main.c finds the compiled texts. */
function textTable(names: readonly string[]): string {
  const declarations = names.map(
    (name) =>
      `extern const uint8_t ${cName(name)}[];\nextern const uint32_t ${cName(name)}_size;\n`,
  );
  const rows = names.map((name) => `  {"./${name}.ts", ${cName(name)}, &${cName(name)}_size},\n`);
  return `#include <stdint.h>
${declarations.join('')}
const struct { const char *name; const uint8_t *code; const uint32_t *size; } lifehook_texts[] = {
${rows.join('')}  {0, 0, 0},
};
`;
}

function cName(part: string): string {
  return `lifehook_${part.replaceAll('-', '_')}`;
}

/** Links statically, because the dynamic loader would take a third of the run time of such a program. */
function link(target: string, texts: readonly string[], using: Tools): void {
  const { cCompiler, include, library } = using;
  const flags = ['-O2', '-Wall', '-static', '-no-pie', '-s', '-isystem', include];
  const libraries = [join(library, 'libquickjs.a'), '-lm', '-lpthread', '-ldl'];
  run(cCompiler, [...flags, '-o', target, ...cSources, ...texts, ...libraries]);
}

async function bundle(outfile: string, stdin: Entry, lazy: readonly string[]): Promise<string> {
  await build({
    ...shared,
    stdin,
    outfile,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    external: ['qjs:*', 'lifehook:*', ...lazy.map((part) => `./${part}.ts`)],
    // import() becomes a call of require, which main.c defines.
    supported: { 'dynamic-import': false },
  });
  return outfile;
}

/** The bundle as a C array of QuickJS bytecode. */
function compile(file: string, { qjsc }: Tools): string {
  // Modules that main.c provides; qjsc would otherwise search for their files.
  const brought = ['qjs:std', 'qjs:os', 'lifehook:native', 'lifehook:supervisor'];
  const modules = brought.flatMap((module) => ['-M', module]);
  const name = cName(basename(file, '.js'));
  run(qjsc, ['-c', '-m', '-s', '-N', name, ...modules, '-o', `${file}.c`, file]);
  return `${file}.c`;
}

function run(program: string, args: readonly string[]): void {
  // Hides the linker's warning about dlopen in a static program: the program loads no library. An error includes all
  // output.
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}
