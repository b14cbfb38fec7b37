/**
 * The end of a container's log, for records. The last lines are read as a whole and then cut to their end, because a
 * byte limit of the server would keep the beginning.
 */
import { makeMasker } from '../model/secrets.ts';
import { isReason } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import { podLogs } from './logs.ts';
import type { ObjectKey } from './object.ts';

export interface LogTailLimits {
  /** Maximum number of lines, counted from the end. */
  readonly lines: number;
  /** Maximum number of bytes in UTF-8; the beginning is cut off. */
  readonly bytes: number;
  /** Secrets that are masked by their value. Other secrets are masked by their form. */
  readonly secrets?: readonly string[];
}

export interface LogTailOf extends ObjectKey {
  readonly container: string;
  /** Whether to read the log of the container's previous instance. */
  readonly previous?: boolean;
}

/** Milliseconds; a tail that takes longer fails. */
const READ_MS = 10_000;

/** Resolves with '' if nothing was logged or the container does not exist. Rejects if the log cannot be read. */
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
      // Masked before the text is cut, since a cut secret would not be recognised.
      last.push(lastBytes(masker.text(text), limits.bytes));
      if (last.length > limits.lines) last.shift();
    }
  } catch (error) {
    // Nothing was logged: the server answers BadRequest for a container that has not started.
    if (!isReason(error, 'NotFound', 'BadRequest')) throw error;
  } finally {
    callOff();
  }
  if (signal.aborted) throw new Error(`the log of ${name} did not end within ${READ_MS / 1_000} s`);
  return lastBytes(last.map((line) => `${line}\n`).join(''), limits.bytes);
}

/** The last bytes of a text, at most `bytes`. Never cuts inside a character. */
function lastBytes(text: string, bytes: number): string {
  const all = new TextEncoder().encode(text);
  if (all.length <= bytes) return text;
  let start = all.length - bytes;
  while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder().decode(all.subarray(start));
}
