/** The files of this program: next to it, or inside it if it is a single executable. */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { getRawAsset, isSea } from 'node:sea';

import { codeOf } from '../platform/posix-error.ts';

/** Programs that run as separate processes, each built as `NAME.js`. */
export type Part = 'keep-deadline' | 'serve' | 'supervise';

/** The first argument of a part has this prefix: `sea-main.ts` reads the name of the part from it. */
export const PART_PREFIX = 'lifehook-part:';

/** A single executable has no examples, and no Node that could run other scripts. */
export const isSingleExecutable: boolean = isSea();

/** `folder`: the directory of the program. Throws ENOENT if the file does not exist. */
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

/** The command line that starts the part, without the arguments of the part. */
export function partArgv(part: Part): readonly string[] {
  if (isSingleExecutable) return [process.execPath, `${PART_PREFIX}${part}`];
  // The process of a cluster gets the Node options of its user.
  if (part === 'serve')
    return [process.execPath, ...process.execArgv, join(programFolder(), 'serve.cjs')];
  return [process.execPath, join(programFolder(), `${part}.js`)];
}

/** Not a copy: the bytes of the executable itself. */
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
