/** An error of the operating system, identified by its POSIX code. */
export function posixError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/** The same error with its path in the message: the error of a write to an open file (ENOSPC) has none. */
export function withPath(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error) || error.message.includes(path)) return error;
  const { syscall } = error as NodeJS.ErrnoException;
  return Object.assign(posixError(code, `${error.message} '${path}'`, error), { path, syscall });
}

/** The code of an error: "ENOENT" and the like, or a code of Node that starts with "ERR_"; null: it has none. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

const SYSTEM_FAILURES: readonly (string | null)[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'];

/**
 * Whether the system lacks file descriptors or memory, or the disk fails. Such an error says nothing about the path: it
 * may exist.
 */
export function isSystemFailure(error: unknown): boolean {
  return SYSTEM_FAILURES.includes(codeOf(error));
}

/** Resolves with null if the file does not exist. Every other failure rejects. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
