/** An error's message, for the middle of a sentence. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
