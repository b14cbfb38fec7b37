/** A project that has the package installed as from `npm pack`, built into a directory of its own. */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { buildLibrary } from '../../scripts/build-library.ts';

export interface Consumer {
  readonly folder: string;
  /** The compiler's errors in these programs; empty if there are none. */
  typeProblems(programs: Readonly<Record<string, string>>): string;
  /** Runs the TypeScript program at this path in the directory. */
  run(program: string, args: readonly string[]): Promise<string>;
  remove(): void;
}

const TIMEOUT_MS = 80_000;
const SETTINGS = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    // Off, because the declarations of the package must be checked too.
    skipLibCheck: false,
    types: ['node'],
  },
};

export async function layConsumer(): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-consumer-'));
  const installed = join(folder, 'node_modules/lifehook');
  mkdirSync(installed, { recursive: true });
  cpSync('package.json', join(installed, 'package.json'));
  await buildLibrary(join(installed, 'dist'));
  // Links the dependencies of the package, and the types of Node, which a consumer has.
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    folder,
    typeProblems: (programs) => typeProblems(folder, programs),
    run: (program, args) => run(folder, program, args),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

function typeProblems(folder: string, programs: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  const files = Object.keys(programs);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...SETTINGS, files }));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  return output(folder, [compiler, '-p', 'tsconfig.json', '--pretty', 'false']);
}

async function run(folder: string, program: string, args: readonly string[]): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({ entryPoints: [program], outfile, format: 'esm', target: 'node20.19' });
  return output(folder, [outfile, ...args]);
}

function output(folder: string, args: readonly string[]): string {
  const limits = { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, limits);
  return stdout + stderr;
}
