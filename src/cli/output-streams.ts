/** Handles failed writes to the standard streams. Without a listener, the first one would end the process at once. */
import type { Writable } from 'node:stream';

/** No failure: the reader has exited (`lifehook … | head`), or the terminal was closed (EIO). */
const READER_EXITED = ['EPIPE', 'EIO'];

/**
 * After this call, a failed write to one of these streams only loses its output. The returned function gives the reason
 * for lost output, such as a full disk; null: none was lost. Output whose reader has exited does not count as lost.
 */
export function outliveOutput(...streams: readonly Pick<Writable, 'on'>[]): () => string | null {
  let lost: string | null = null;
  for (const stream of streams) {
    stream.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      if (!READER_EXITED.includes(code)) lost ??= message;
    });
  }
  return () => lost;
}
