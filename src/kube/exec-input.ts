import { errorText } from '../platform/error-text.ts';
import type { UnknownEnd } from './exec-result.ts';
import type { StreamSession } from './stream-session.ts';

/**
 * Sends the input as fast as the command takes it, then closes it. Resolves with null also where the
 * command exits before it has read everything: no command has to read its input.
 */
export async function feedInput(
  session: StreamSession,
  stdin: AsyncIterable<Uint8Array>,
): Promise<UnknownEnd | null> {
  try {
    for await (const bytes of stdin) {
      if (!(await session.write(bytes))) return null;
    }
  } catch (error) {
    const message = errorText(error);
    const reason = `its input could not be read: ${message}`;
    return { outcome: 'unknown', cause: 'inputFailed', reason };
  }
  await session.endStdin();
  return null;
}
