/**
 * Loads a part of the program together with what V8 has compiled of it before: compiling it costs more
 * than all else that a start does. The build leaves the compiled code of a whole run beside the text;
 * another version of V8 refuses it, and compiles as it goes.
 */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

import { readProgramFile, readProgramFileIfThere } from './program-files.ts';

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
  const cachedData = readProgramFileIfThere(folder, compiledName(name));
  // As the build writes it: ASCII, one byte a character.
  const script = new Script(readProgramFile(folder, `${name}.cjs`).toString('latin1'), {
    filename,
    ...(cachedData === null ? {} : { cachedData }),
  });
  // The part puts its exports there.
  const module = { exports: {} as Exports };
  (script.runInThisContext() as Wrapper<Exports>)(module.exports, requireFrom(filename), module);
  return { exports: module.exports, script };
}

/** In the folder of the program. */
export function compiledName(name: string): string {
  return `${name}.compiled`;
}

/** The only files that a part loads are other parts. */
function requireFrom(filename: string): NodeJS.Require {
  const outer = createRequire(filename);
  const load = (id: string): unknown =>
    id.startsWith('./') ? loadCompiled(dirname(filename), basename(id, '.cjs')).exports : outer(id);
  return Object.assign(load, outer);
}
