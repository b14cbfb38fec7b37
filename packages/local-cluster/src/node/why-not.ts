/** What an error says, for a message to people. Pure. */
export function whyNot(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
