import type { Exit } from './platform.ts';

/** The message of a caught value, for the middle of a sentence. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A caught value as an Error, even if it is something else. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** How a process ended, as the predicate of a sentence: "exited with code 3". */
export function exitText({ code, signal }: Exit): string {
  if (signal !== null) return `was killed by ${signal}`;
  return code === null ? 'exited with an unknown exit code' : `exited with code ${code}`;
}
