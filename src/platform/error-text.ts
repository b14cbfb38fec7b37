/** The message of a caught value, for the middle of a sentence. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A caught value as an Error, even if it is something else. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
