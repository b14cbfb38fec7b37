/** Checks a directory that an option names. A missing directory would otherwise look like an empty one. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { nearestWord } from '../model/nearest-word.ts';
import { LifehookError } from '../model/problem.ts';
import { codeOf } from '../platform/posix-error.ts';

/** The absolute path of the directory. Throws LHG015 if it is not a readable directory. */
export function requireFolder(option: string, path: string): string {
  const folder = resolve(path);
  const why = whyNot(folder);
  if (why === null) return folder;
  throw new LifehookError({
    code: 'LHG015',
    message: `Cannot read the directory of ${option}, ${folder}: ${why}.`,
    next: `${suggestion(folder)}Correct the path, or leave ${option} out.`,
  });
}

function whyNot(folder: string): string | null {
  try {
    if (!statSync(folder).isDirectory()) return 'it is a file';
    readdirSync(folder);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return 'it does not exist';
    return `the operating system refused with ${code ?? String(error)}`;
  }
}

/** Characters. A shorter name is similar to almost any other name. */
const SHORT = 5;

function suggestion(folder: string): string {
  const parent = dirname(folder);
  if (basename(folder).length < SHORT) return '';
  try {
    const others = readdirSync(parent).filter((name) => name !== basename(folder));
    const near = nearestWord(basename(folder), others);
    return near === null ? '' : `Did you mean ${join(parent, near)}? `;
  } catch {
    return '';
  }
}
