import { posixError } from '../src/platform/posix-error.ts';

/** The errno values of Linux; they are the same on every supported architecture. */
const names: Readonly<Record<number, string>> = {
  1: 'EPERM',
  2: 'ENOENT',
  3: 'ESRCH',
  4: 'EINTR',
  5: 'EIO',
  7: 'E2BIG',
  8: 'ENOEXEC',
  9: 'EBADF',
  10: 'ECHILD',
  11: 'EAGAIN',
  12: 'ENOMEM',
  13: 'EACCES',
  16: 'EBUSY',
  17: 'EEXIST',
  18: 'EXDEV',
  20: 'ENOTDIR',
  21: 'EISDIR',
  22: 'EINVAL',
  23: 'ENFILE',
  24: 'EMFILE',
  26: 'ETXTBSY',
  27: 'EFBIG',
  28: 'ENOSPC',
  30: 'EROFS',
  32: 'EPIPE',
  36: 'ENAMETOOLONG',
  38: 'ENOSYS',
  39: 'ENOTEMPTY',
  40: 'ELOOP',
  116: 'ESTALE',
  122: 'EDQUOT',
};

/** The name of a negative result of a system call. */
export function errnoName(result: number): string {
  return names[-result] ?? `errno ${-result}`;
}

/** Returns the result of a system call; throws an error with the POSIX code if it failed. */
export function check(result: number, what: string, path: string): number {
  if (result >= 0) return result;
  const code = errnoName(result);
  throw posixError(code, `${code}: cannot ${what} ${JSON.stringify(path)}`);
}
