import type { Problem } from '../model/problem.ts';
import { codeOf } from '../platform/posix-error.ts';

/** What the operating system says of a path that cannot be read; null: it is no such failure. */
export function unreadablePath(error: unknown): Problem | null {
  const code = codeOf(error);
  const { path, syscall = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === null || path === undefined || !READING.test(syscall)) return null;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return {
    code: isMissing ? 'LHM020' : 'LHM021',
    severity: 'error',
    at: { file: path, line: 1, column: 1 },
    message: isMissing ? `${path} does not exist.` : `${path} cannot be read (${code}).`,
    next: isMissing ? 'Correct the path.' : 'Check that it is a file, and that you may read it.',
  };
}

const READING = /^(?:open|stat|lstat|read|readlink|realpath|scandir)$/u;
