/** `lifehook plan|explain PATH`: runs that command of the lifecycle to which the file belongs. */
import process from 'node:process';

import { LifehookError } from '../../model/problem.ts';
import { shellWords } from '../../model/shell-words.ts';
import { exitCodes } from '../exit-codes.ts';
import { commandFor, type Verb } from './command-for.ts';
import { type Found, lookAtPath } from './look-at-path.ts';

export interface ByFileRequest {
  readonly verb: Verb;
  readonly paths: readonly string[];
  /** Runs a command line. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Returns the worst of the exit codes. */
export async function runByFile(request: ByFileRequest): Promise<number> {
  let worst: number = exitCodes.done;
  for (const path of request.paths) {
    worst = Math.max(worst, await runFor(await lookAtPath(path), request));
  }
  return worst;
}

async function runFor(found: Found, { verb, run }: ByFileRequest): Promise<number> {
  const command = commandFor(found);
  if (command === null) throw nothingToSay(verb, found);
  process.stderr.write(`= lifehook ${shellWords(command)}\n`);
  return run(command);
}

/**
 * The error for a verb that has no command for the path: a manifest that has neither a Deployment nor an
 * ApplicationSnapshot.
 */
function nothingToSay(verb: Verb, found: Found): LifehookError {
  return new LifehookError({
    code: 'LHG068',
    at: { file: 'file' in found ? found.file : found.folder, line: 1, column: 1 },
    message: `There is nothing to ${verb}: this path has no Deployment and no ApplicationSnapshot.`,
    next: 'Use `lifehook lint`, or name a manifest that has one of them.',
  });
}
