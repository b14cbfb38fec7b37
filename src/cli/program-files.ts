/** Finds the files of this program: next to it, or inside it if it is a single executable. */
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { getRawAsset, isSea } from 'node:sea';
import { Script } from 'node:vm';

import { codeOf } from '../platform/posix-error.ts';

/** Programs that run as separate processes, each built as `NAME.js`. */
export type Part = 'keep-deadline' | 'serve' | 'supervise';

/** Prefix of the first argument of a part, from which `sea-main.ts` reads the name of the part. */
export const PART_PREFIX = 'lifehook-part:';

/** True: the program is a single executable. It has no examples, and no Node that could run other scripts. */
export const isSingleExecutable: boolean = isSea();

/** Reads a file of the program. `folder`: the directory of the program. Throws ENOENT if the file does not exist. */
export function readProgramFile(folder: string, name: string): Buffer {
  return isSingleExecutable ? readAsset(name) : readFileSync(join(folder, name));
}

function readProgramFileIfThere(folder: string, name: string): Buffer | null {
  try {
    return readProgramFile(folder, name);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The command line that starts the part, without the arguments of the part. */
export function partArgv(part: Part): readonly string[] {
  if (isSingleExecutable) return [process.execPath, `${PART_PREFIX}${part}`];
  // The process of a local cluster gets the Node options of this process.
  if (part === 'serve')
    return [process.execPath, ...process.execArgv, join(programFolder(), 'serve.cjs')];
  return [process.execPath, join(programFolder(), `${part}.js`)];
}

/** Returns the bytes within the executable, without a copy. */
function readAsset(name: string): Buffer {
  try {
    return Buffer.from(getRawAsset(name) as ArrayBuffer);
  } catch (cause) {
    throw Object.assign(new Error(`ENOENT: ${process.execPath} has no ${name}`, { cause }), {
      code: 'ENOENT',
    });
  }
}

/** The directory of this program and of the other files of its build. */
export function programFolder(): string {
  return dirname(realpathSync(process.argv[1] ?? '.'));
}

/**
 * A part of the program that was loaded with its V8 code cache, because compiling it would take longer than the rest of
 * a start. The build stores the code cache of a whole run next to the source. Another version of V8 rejects the cache,
 * and compiles lazily.
 */
export interface Compiled<Exports> {
  readonly exports: Exports;
  /** Contains the compiled code of every function that has run so far. */
  readonly script: Script;
  /** The other parts that this part has loaded so far, by name. */
  readonly required: ReadonlyMap<string, Compiled<object>>;
}

/** The text of a part is one function expression. */
type Wrapper<Exports> = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: Exports },
) => void;

/**
 * Loads a part of the program with its code cache. `folder`: the directory of the program; `name`: the name of the
 * part. Throws if the file cannot be read.
 */
export function loadCompiled<Exports extends object>(
  folder: string,
  name: string,
): Compiled<Exports> {
  const filename = join(folder, `${name}.cjs`);
  const cachedData = readProgramFileIfThere(folder, compiledName(name));
  // The build writes only ASCII, one byte per character, so latin1 reads it unchanged.
  const script = new Script(readProgramFile(folder, `${name}.cjs`).toString('latin1'), {
    filename,
    ...(cachedData === null ? {} : { cachedData }),
  });
  // The part assigns its exports here.
  const module = { exports: {} as Exports };
  const required = new Map<string, Compiled<object>>();
  const require = requireFrom(filename, required);
  (script.runInThisContext() as Wrapper<Exports>)(module.exports, require, module);
  return { exports: module.exports, script, required };
}

/** The name of the code cache file in the directory of the program. */
export function compiledName(name: string): string {
  return `${name}.compiled`;
}

/** The `require` of a part. The only files that a part loads are other parts, each once. */
function requireFrom(filename: string, required: Map<string, Compiled<object>>): NodeJS.Require {
  const outer = createRequire(filename);
  const load = (id: string): unknown => {
    if (!id.startsWith('./')) return outer(id);
    const name = basename(id, '.cjs');
    const part = required.get(name) ?? loadCompiled(dirname(filename), name);
    required.set(name, part);
    return part.exports;
  };
  return Object.assign(load, outer);
}
