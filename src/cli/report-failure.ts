/** Everything that goes wrong reaches the user here: on stderr, with a code and a next step. */
import process from 'node:process';

import { ApiError, UnreachableError } from '../kube/api-error.ts';
import { formatProblem, LifehookError, type Problem } from '../model/problem.ts';
import { codeOf } from '../platform/posix-error.ts';
import { type Colour, colourOf } from './colour.ts';
import { exitCodes } from './exit-codes.ts';
import { unreadablePath } from './missing-path.ts';

export function reportProblems(problems: readonly Problem[]): void {
  const colour = colourOf(process.stderr);
  for (const problem of problems) {
    const text = formatProblem(problem);
    process.stderr.write(`${colouredProblem(text, problem.severity, colour)}\n`);
  }
}

/** The severity and the next step stand out. Pure. */
export function colouredProblem(
  text: string,
  severity: Problem['severity'],
  colour: Colour,
): string {
  const at = text.indexOf(`${severity} LH`);
  const next = text.lastIndexOf(' Next: ');
  const word = colour(severity === 'error' ? 'red' : 'yellow', severity);
  const message = text.slice(at + severity.length, next + 1);
  return `${text.slice(0, at)}${word}${message}${colour('bold', 'Next:')}${text.slice(next + 6)}`;
}

/** Returns the exit code that goes with the failure. */
export function reportFailure(error: unknown): number {
  if (error instanceof LifehookError) {
    reportProblems(error.problems);
    return exitCodes.failed;
  }
  const fromServer = serverProblem(error);
  if (fromServer !== null) {
    reportProblems([fromServer]);
    return exitCodes.failed;
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  const unreadable = unreadablePath(error);
  if (unreadable !== null) {
    reportProblems([unreadable]);
    return exitCodes.failed;
  }
  const worldly = codeOf(cause);
  if (worldly !== null && !worldly.startsWith('ERR_')) {
    reportProblems([
      {
        code: 'LHG002',
        severity: 'error',
        message: `The operating system refused: ${cause.message}.`,
        next: 'check that the path is right, and that you may do this.',
      },
    ]);
    return exitCodes.failed;
  }
  reportProblems([
    {
      code: 'LHG900',
      severity: 'error',
      message: `Lifehook made a mistake: ${cause.message}.`,
      next: 'run it again with LIFEHOOK_DEBUG=1 and report the trace that it prints.',
    },
  ]);
  if (process.env['LIFEHOOK_DEBUG'] === '1') process.stderr.write(`${cause.stack ?? ''}\n`);
  return exitCodes.failed;
}

/** What an API server refused, or did not answer; null: it has nothing to do with one. */
function serverProblem(error: unknown): Problem | null {
  if (error instanceof ApiError) {
    return {
      code: 'LHK010',
      severity: 'error',
      message: `The API server refused: ${error.message.replace(/\.$/u, '')}.`,
      next: 'correct what it names, or ask for the permission.',
    };
  }
  if (!(error instanceof UnreachableError)) return null;
  return {
    code: 'LHK011',
    severity: 'error',
    message: `The API server did not answer: ${error.message.replace(/\.$/u, '')}.`,
    next: 'see whether it runs and can be reached (kubectl get --raw /readyz), then try again.',
  };
}

/** What commander says about a command line, in our form. */
export function reportWrongUse(message: string): void {
  const text = message
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
  reportProblems([
    {
      code: 'LHG001',
      severity: 'error',
      message: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`,
      next: 'see --help for what is possible here.',
    },
  ]);
}
