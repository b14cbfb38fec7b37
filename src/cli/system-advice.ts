/** The next step after a failed system call, for the error codes that have advice of their own. */
import { codeOf } from '../platform/posix-error.ts';

export const FREE_SPACE =
  'Free space on that file system, and run the command again. `df -h` shows its free bytes, and `df -i` how many files it can still have.';

const ADVICE: Readonly<Record<string, string>> = {
  EDQUOT: 'Delete files of yours on that file system: your quota is used up.',
  EMFILE: 'Raise the limit of open files (ulimit -n), and run the command again.',
  ENAMETOOLONG: 'Use a shorter path.',
  ENFILE: 'Close other programs: all processes together have too many open files.',
  ENOSPC: FREE_SPACE,
  EROFS: 'Use a directory of a file system that is not read-only.',
};

/** null: the code of the error has no advice here. Pure. */
export function systemAdvice(error: unknown): string | null {
  return ADVICE[codeOf(error) ?? ''] ?? null;
}
