/**
 * The end of a container's log, for records. It is read through to its end and only the last of it is kept:
 * the server's own limit on bytes would keep the beginning.
 */
import { makeMasker } from '../model/secrets.ts';
import { isReason } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import { podLogs } from './logs.ts';
import type { ObjectKey } from './object.ts';

export interface LogTailLimits {
  /** At most so many of the last lines. */
  readonly lines: number;
  /** UTF-8; what is more than that is cut off at the front. */
  readonly bytes: number;
  /** Masked by their value; others are masked by their shape. */
  readonly secrets?: readonly string[];
}

export interface LogTailOf extends ObjectKey {
  readonly container: string;
  /** Of the container's instance before this one. */
  readonly previous?: boolean;
}

/** A tail that takes longer than this, milliseconds, is none. */
const READ_MS = 10_000;

/** '' where nothing was logged, or nothing is there to have logged it. Rejects where it cannot be read. */
export async function readLogTail(
  connection: KubeConnection,
  { namespace = '', name, container, previous = false }: LogTailOf,
  limits: LogTailLimits,
): Promise<string> {
  const late = new AbortController();
  const callOff = connection.platform.timers.after(READ_MS, () => {
    late.abort();
  });
  const { signal } = late;
  const which = { namespace, pod: name, container, tailLines: limits.lines, previous, signal };
  const masker = makeMasker(limits.secrets ?? []);
  const last: string[] = [];
  try {
    for await (const { text } of podLogs(connection, which)) {
      // Before it is cut: half a secret is not found any more.
      last.push(lastBytes(masker.text(text), limits.bytes));
      if (last.length > limits.lines) last.shift();
    }
  } catch (error) {
    // A container that has not begun is a bad request to ask for.
    if (!isReason(error, 'NotFound', 'BadRequest')) throw error;
  } finally {
    callOff();
  }
  if (signal.aborted) throw new Error(`the log of ${name} did not end within ${READ_MS} ms`);
  return lastBytes(last.map((line) => `${line}\n`).join(''), limits.bytes);
}

/** No character is cut in two. */
function lastBytes(text: string, bytes: number): string {
  const all = new TextEncoder().encode(text);
  if (all.length <= bytes) return text;
  let start = all.length - bytes;
  while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder().decode(all.subarray(start));
}
