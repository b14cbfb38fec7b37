/** The programs that the kernel starts for a path: a script's first line names its interpreter. */
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

/** Bytes that Linux reads of a script; below: interpreters that it follows before it fails (ELOOP). */
const FIRST_LINE_BYTES = 256;
const INTERPRETERS_MAX = 5;

/**
 * The path, and the absolute paths of its interpreters; the last one may be missing. A relative interpreter is
 * resolved in the bundle, which is judged separately. A program that `env` finds is unknown.
 */
export async function startedPrograms(files: Files, path: string): Promise<string[]> {
  const programs = [path];
  let next = await interpreterOf(files, path);
  while (next !== null && !programs.includes(next) && programs.length <= INTERPRETERS_MAX) {
    programs.push(next);
    next = await interpreterOf(files, next);
  }
  return programs;
}

/** null: it is no script, or is unreadable for us, and then cannot be run by us. */
async function interpreterOf(files: Files, path: string): Promise<string | null> {
  try {
    // Opening a pipe would block until its other end is opened.
    if ((await files.stat(path)).kind !== 'file') return null;
    const start = await files.readStart(path, FIRST_LINE_BYTES);
    const [, interpreter] = /^#![ \t]*(\/[^ \t\n\0]*)/u.exec(start) ?? [];
    return interpreter === undefined ? null : decodeUtf8(interpreter);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}
