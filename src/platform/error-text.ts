/** What a caught value says, for the middle of a sentence. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A caught value as an Error, which it may not be. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
