/** The files of this program, which lie next to it, or within it where it is a single executable. */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { getRawAsset, isSea } from 'node:sea';

import { codeOf } from '../platform/posix-error.ts';

/** Programs that are processes of their own, each built as `NAME.js`. */
export type Part = 'keep-deadline' | 'serve' | 'supervise';

/** What `sea-main.ts` takes as the name of a part, before its arguments. */
export const PART_PREFIX = 'lifehook-part:';

/** Within this program there are no examples, and there is no Node that could run other scripts. */
export const isSingleExecutable: boolean = isSea();

/** `folder`: of the program. Throws ENOENT where there is none. */
export function readProgramFile(folder: string, name: string): Buffer {
  return isSingleExecutable ? readAsset(name) : readFileSync(join(folder, name));
}

export function readProgramFileIfThere(folder: string, name: string): Buffer | null {
  try {
    return readProgramFile(folder, name);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The command line of such a process, without its arguments. */
export function partArgv(part: Part): readonly string[] {
  if (isSingleExecutable) return [process.execPath, `${PART_PREFIX}${part}`];
  // The process of a cluster gets the options of Node that its user gave.
  if (part === 'serve')
    return [process.execPath, ...process.execArgv, join(programFolder(), 'serve.cjs')];
  return [process.execPath, join(programFolder(), `${part}.js`)];
}

/** Not copied: the bytes of the executable itself. */
function readAsset(name: string): Buffer {
  try {
    return Buffer.from(getRawAsset(name) as ArrayBuffer);
  } catch (cause) {
    throw Object.assign(new Error(`ENOENT: ${process.execPath} has no ${name}`, { cause }), {
      code: 'ENOENT',
    });
  }
}

/** Where this program lies, with all that was built beside it. */
export function programFolder(): string {
  return dirname(realpathSync(process.argv[1] ?? '.'));
}
