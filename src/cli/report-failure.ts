/** Turns an error of a command into a problem with a code and a next step. */
import process from 'node:process';

import { ApiError, UnreachableError } from '../kube/api-error.ts';
import { LifehookError, type Problem } from '../model/problem.ts';
import { asError } from '../platform/error-text.ts';
import { codeOf } from '../platform/posix-error.ts';
import { exitCodes } from './exit-codes.ts';
import { notAFile } from './not-a-file.ts';
import { reportProblems } from './report-problems.ts';
import { systemAdvice } from './system-advice.ts';

/** Returns the exit code of the failure. */
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
  const cause = asError(error);
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
        message: `The operating system reported: ${cause.message}.`,
        next:
          systemAdvice(cause) ??
          'check that the path is right, and that you have permission to do this.',
      },
    ]);
    return exitCodes.failed;
  }
  reportProblems([
    {
      code: 'LHG900',
      severity: 'error',
      message: `This is a defect of Lifehook: ${cause.message}.`,
      next: 'run it again with LIFEHOOK_DEBUG=1 and report the trace that it prints.',
    },
  ]);
  if (process.env['LIFEHOOK_DEBUG'] === '1') process.stderr.write(`${cause.stack ?? ''}\n`);
  return exitCodes.failed;
}

/** The problem of a request that an API server rejected or did not answer; null: the error is of another kind. */
function serverProblem(error: unknown): Problem | null {
  if (error instanceof ApiError) {
    return {
      code: 'LHK010',
      severity: 'error',
      message: `The API server refused: ${error.message.replace(/\.$/u, '')}.`,
      next: 'correct the reported problem, or ask for the permission.',
    };
  }
  if (!(error instanceof UnreachableError)) return null;
  return {
    code: 'LHK011',
    severity: 'error',
    message: `The API server did not answer: ${error.message.replace(/\.$/u, '')}.`,
    next: 'check whether it runs and can be reached (kubectl get --raw /readyz), then try again.',
  };
}

/** The problem of a path that the operating system cannot read; null: the error is of another kind. */
export function unreadablePath(error: unknown): Problem | null {
  const code = codeOf(error);
  const { path, syscall = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === null || path === undefined || !READING.test(syscall)) return null;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const problem = isMissing ? missingPath(path) : deniedPath(path, code);
  // An empty path is that of an unset variable, and no place.
  return path === '' ? problem : { ...problem, at: { file: path, line: 1, column: 1 } };
}

function missingPath(path: string): Problem {
  const message = `${path === '' ? 'The path ""' : path} does not exist.`;
  return { code: 'LHM020', severity: 'error', message, next: 'Correct the path.' };
}

function deniedPath(path: string, code: string): Problem {
  if (code === 'EISDIR') return notAFile(path, 'a directory');
  if (code === 'ENXIO') return notAFile(path, 'a socket, or a pipe that no process writes to');
  const message = `${path} cannot be read (${code}).`;
  return { code: 'LHM021', severity: 'error', message, next: DENIED[code] ?? CHECK };
}

const RIGHTS = 'Get the right to read it, and to enter the directories above it.';
const CHECK = 'Check that it is a file, and that you may read it.';
const DENIED: Readonly<Record<string, string>> = {
  EACCES: RIGHTS,
  EFBIG: 'Name a smaller file.',
  ELOOP: 'Remove the symbolic link that leads back to itself.',
  ENAMETOOLONG: 'Use a shorter path.',
  EPERM: RIGHTS,
};

const READING = /^(?:open|stat|lstat|read|readlink|realpath|scandir)$/u;

/** Prints a usage error of commander in Lifehook's format. */
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
      next: 'see --help for the commands and options.',
    },
  ]);
}
