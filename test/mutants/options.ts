/** Options of `npm run mutants`. */
import { parseArgs } from 'node:util';

import { asError } from '../../src/platform/error-text.ts';
import { mutantModules } from './modules.ts';
import { mutatedFiles, type MutantModule } from './mutant-module.ts';

export const USAGE: string = `Usage: npm run mutants [-- [--module NAME]... [FILE]...]
       npm run mutants -- --changed [BASE] [--module NAME]... [--lines N]

Without options every module is tried.

--module NAME    only this module: ${mutantModules.map(({ name }) => name).join(', ')}
FILE             only these files of the modules; floors are not judged
--changed [BASE] only lines that changed since BASE; default: since a day before the last commit
--lines N        with --changed: at most N changed lines; what is left out is printed`;

/** So many lines have about 800 mutants, which take one processor one or two minutes. */
const CHANGED_LINES_MAX = 1000;

export interface Options {
  readonly modules: readonly MutantModule[];
  /** File arguments. With `changed`: the base commit, if one is given. */
  readonly rest: readonly string[];
  readonly changed: boolean;
  readonly lines: number;
}

/** `files` are those of the project. A returned string is an error message: wrong arguments are never ignored. */
export function readOptions(args: readonly string[], files: readonly string[]): Options | string {
  const parsed = parse(args);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals: rest } = parsed;
  const names = values.module ?? mutantModules.map(({ name }) => name);
  const unknown = names.filter((name) => mutantModules.every((one) => one.name !== name));
  if (unknown.length > 0) return `there is no module ${unknown.join(', ')}`;
  const lines = Number(values.lines);
  if (!Number.isInteger(lines) || lines < 1) return '--lines takes a whole number from 1';
  const modules = mutantModules.filter(({ name }) => names.includes(name));
  const options = { modules, rest, changed: values.changed, lines };
  if (options.changed) return rest.length > 1 ? '--changed compares with one commit' : options;
  const known = new Set(modules.flatMap((module) => mutatedFiles(module, files)));
  const strangers = rest.filter((file) => !known.has(file));
  return strangers.length > 0 ? `no chosen module mutates ${strangers.join(', ')}` : options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        module: { type: 'string', multiple: true },
        changed: { type: 'boolean', default: false },
        lines: { type: 'string', default: `${CHANGED_LINES_MAX}` },
      },
    });
  } catch (error) {
    return asError(error).message;
  }
}
