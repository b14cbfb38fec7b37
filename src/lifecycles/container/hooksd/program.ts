/** The program that a hook names, looked for on this machine. */
import type { Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { positionOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';
import type { PathTrust } from './path-trust.ts';
import { distrust, type Trust } from './trust.ts';

/**
 * Upstream leaves the whole file out without a word when its program is missing. Here it is reported,
 * and the caller chooses between leaving it out and refusing to start.
 */
export async function missingProgram(file: HookFile, files: Files): Promise<Problem | undefined> {
  if (!runsOnHost(file)) return undefined;
  try {
    await files.stat(file.hook.path);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be found: ${reason}`;
    return {
      code: 'LHC113',
      severity: 'error',
      message: `The program ${JSON.stringify(file.hook.path)} of this hook ${why}.`,
      at: positionOf(file, 'hook.path'),
      next: 'Install the program, correct the path, or remove the file.',
    };
  }
}

/** Why the program is not one to be run with our rights; the program is there. */
export async function distrustOfProgram(
  file: HookFile,
  { files, trust, paths }: { files: Files; trust: Trust; paths: PathTrust },
): Promise<Problem | undefined> {
  if (!runsOnHost(file)) return undefined;
  const { path } = file.hook;
  const problem = (await paths.above(path)) ?? distrust(path, await files.stat(path), trust);
  if (problem === undefined) return undefined;
  return {
    ...problem,
    code: 'LHC118',
    message: `Only trusted users may write the program ${JSON.stringify(path)} of this hook. ${problem.message}`,
    at: positionOf(file, 'hook.path'),
  };
}

/** startContainer hooks are looked up inside the container: this machine cannot tell. */
export function runsOnHost({ stages }: HookFile): boolean {
  return stages.length === 0 || stages.some((stage) => stage !== 'startContainer');
}
