/** Checks whether the program of a hook exists on this machine, and whether other users could replace it. */
import type { Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { positionOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';
import { distrust, type PathTrust, type Trust } from './path-trust.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

/**
 * Podman and CRI-O ignore the whole file silently if its program is missing. We report it, and the caller chooses
 * between skipping the file and refusing to start.
 */
export async function missingProgram(file: HookFile, files: Files): Promise<Problem | undefined> {
  if (!runsOnHost(file)) return undefined;
  try {
    await files.stat(file.hook.path);
    return undefined;
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    const why = isMissing ? 'does not exist' : `cannot be found: ${errorText(error)}`;
    return {
      code: 'LHC113',
      severity: 'error',
      message: `The program ${JSON.stringify(file.hook.path)} of this hook ${why}.`,
      at: positionOf(file, 'hook.path'),
      next: 'Install the program, correct the path, or remove the file.',
    };
  }
}

/**
 * Why the program, or the interpreter of a script, must not run with our rights; undefined: it may. The program must
 * exist.
 */
export async function distrustOfProgram(
  file: HookFile,
  looking: Looking,
): Promise<Problem | undefined> {
  if (!runsOnHost(file) || looking.trust.allowUntrusted) return undefined;
  const { path } = file.hook;
  const problem = await firstDistrust(await startedPrograms(looking.files, path), looking);
  if (problem === undefined) return undefined;
  return {
    ...problem,
    code: 'LHC118',
    message: `The program ${JSON.stringify(path)} of this hook is not trusted. ${problem.message}`,
    at: positionOf(file, 'hook.path'),
  };
}

interface Looking {
  readonly files: Files;
  readonly trust: Trust;
  readonly paths: PathTrust;
}

async function firstDistrust(
  programs: readonly string[],
  looking: Looking,
): Promise<Problem | undefined> {
  for (const path of programs) {
    const problem = await distrustIfThere(path, looking);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** undefined also if the interpreter or its directory is missing: the hook then fails when it runs. */
async function distrustIfThere(
  path: string,
  { files, trust, paths }: Looking,
): Promise<Problem | undefined> {
  try {
    return (await paths.above(path)) ?? distrust(path, await files.stat(path), trust);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return undefined;
  }
}

/**
 * False for a file that has only startContainer hooks: they run inside the container, where this machine cannot check
 * them.
 */
export function runsOnHost({ stages }: HookFile): boolean {
  return stages.length === 0 || stages.some((stage) => stage !== 'startContainer');
}

/** Bytes of a script that Linux reads to find its interpreter. */
const FIRST_LINE_BYTES = 256;
/** The number of interpreters that Linux follows before it fails (ELOOP). */
const INTERPRETERS_MAX = 5;

/**
 * The path, and the absolute paths of its interpreters; the last one may be missing. A relative interpreter is resolved
 * in the bundle, which is judged separately. The program that `#!/usr/bin/env` finds is not included.
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

/** The interpreter in the first line; null: the file is not a script, or we cannot read it and so cannot run it. */
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
