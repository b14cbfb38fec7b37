/** A failure of the world, told apart by its POSIX code. */
export function posixError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/** The code that an error carries: "ENOENT" and the like, or one of Node's own that begin with "ERR_". */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
