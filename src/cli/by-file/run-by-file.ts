/** `lifehook lint|plan|explain PATH`: the command of the lifecycle that the path belongs to. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { LifehookError, type Problem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { lintText } from '../lint-text.ts';
import { commandFor, type Verb } from './command-for.ts';
import { lintManifest } from './lint-manifest.ts';
import { type Found, lookAtPath } from './look-at-path.ts';

export interface ByFileRequest {
  readonly verb: Verb;
  readonly paths: readonly string[];
  /** Runs a command line. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** The worst of the exit codes. */
export async function runByFile(request: ByFileRequest): Promise<number> {
  let worst: number = exitCodes.done;
  for (const path of request.paths) {
    worst = Math.max(worst, await runFor(await lookAtPath(path), request));
  }
  return worst;
}

async function runFor(found: Found, { verb, run }: ByFileRequest): Promise<number> {
  if (verb === 'lint' && found.kind === 'manifest') return lint(found.file);
  const command = commandFor(verb, found);
  if (command === null) throw nothingToSay(verb, found);
  process.stderr.write(`= lifehook ${command.join(' ')}\n`);
  return run(command);
}

async function lint(file: string): Promise<number> {
  const problems = lintManifest(file, await readFile(file, 'utf8'));
  process.stdout.write(lintText(problems, file));
  const isWrong = problems.some(({ severity }) => severity === 'error');
  return isWrong ? exitCodes.failed : exitCodes.done;
}

const NOTHING: Readonly<Record<Found['kind'], Pick<Problem, 'message' | 'next'>>> = {
  hooks: { message: 'it has hook files', next: 'Use `lifehook oci`.' },
  bundle: {
    message: 'it is a bundle, whose hooks are judged when it runs',
    next: 'Use `lifehook explain`, or lint its hooks.d folder.',
  },
  pipeline: { message: 'it is a pipeline', next: 'Use `lifehook pipeline`.' },
  manifest: {
    message: 'it has no Deployment and no ApplicationSnapshot',
    next: 'Use `lifehook lint`, or name a manifest that has one.',
  },
};

function nothingToSay(verb: Verb, found: Found): LifehookError {
  const { message, next } = NOTHING[found.kind];
  const file = 'file' in found ? found.file : found.folder;
  return new LifehookError({
    code: 'LHG068',
    severity: 'error',
    at: { file, line: 1, column: 1 },
    message: `There is nothing to ${verb} here: ${message}.`,
    next,
  });
}
