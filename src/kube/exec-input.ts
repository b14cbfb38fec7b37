import type { UnknownEnd } from './exec-result.ts';
import type { StreamSession } from './stream-session.ts';

/** What a command is given to read, and how far that came. */
export interface ExecInput {
  /** Whether the command was told that it has ended; null: there is none. */
  closed: boolean | null;
  /** All of it has left for the server. */
  sent: boolean;
}

/**
 * Gives it as fast as the command takes it, and ends it where the server can do that. Resolves with
 * null also where the command has ended before: that it reads its input is nobody's promise.
 */
export async function feedInput(
  session: StreamSession,
  stdin: AsyncIterable<Uint8Array>,
  input: ExecInput,
): Promise<UnknownEnd | null> {
  try {
    for await (const bytes of stdin) {
      if (!(await session.write(bytes))) return null;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = `its input could not be read: ${message}`;
    return { outcome: 'unknown', cause: 'inputFailed', reason };
  }
  Object.assign(input, { sent: true, closed: await session.endStdin() } satisfies ExecInput);
  return null;
}
