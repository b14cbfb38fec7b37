/**
 * Loads a part of the program together with what V8 has compiled of it before: compiling it costs more
 * than all else that a start does. The build leaves the compiled code of a whole run beside the text;
 * another version of V8 refuses it, and compiles as it goes.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

import { codeOf } from '../platform/posix-error.ts';

export interface Compiled<Exports> {
  readonly exports: Exports;
  /** Knows the compiled code of what has run so far. */
  readonly script: Script;
}

/** The text of a part is one function expression. */
type Wrapper<Exports> = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: Exports },
) => void;

/** `folder`: of the program; `name`: of the part. Throws where it cannot be read. */
export function loadCompiled<Exports extends object>(
  folder: string,
  name: string,
): Compiled<Exports> {
  const filename = join(folder, `${name}.cjs`);
  const cachedData = readIfThere(compiledPath(folder, name));
  // As the build writes it: ASCII, one byte a character.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    ...(cachedData === null ? {} : { cachedData }),
  });
  // The part puts its exports there.
  const module = { exports: {} as Exports };
  (script.runInThisContext() as Wrapper<Exports>)(module.exports, createRequire(filename), module);
  return { exports: module.exports, script };
}

export function compiledPath(folder: string, name: string): string {
  return join(folder, `${name}.compiled`);
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
