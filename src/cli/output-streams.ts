/** Handles failed writes to the standard streams. Without a listener, the first one would end the process at once. */
import type { Writable } from 'node:stream';

/** No failure: the reader has exited (`lifehook … | head`), or the terminal was closed (EIO). */
const READER_EXITED = ['EPIPE', 'EIO'];

/**
 * From now on a failed write to these streams loses the output, and not the work in progress. The returned function
 * says why output was lost that a reader still waits for, such as on a full disk; null: none was lost.
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
