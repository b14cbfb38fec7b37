/**
 * Reads the end of a hook's output for its record. Secrets are masked by their shape, and by their value if the
 * controllers may read the Secrets of the hook's pod.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { errorText } from '../../../platform/error-text.ts';
import { HOOK_CONTAINER } from '../hookpod/hook-container.ts';
import type { StageActing } from './stage-acting.ts';

export const LAST_LINES = 20;
export const LAST_BYTES = 4_096;
/** Milliseconds. A log that cannot be read in time is left out. */
const READ_MS = 2_000;

export interface LastLines {
  readonly lines: readonly string[];
  /** Why the log could not be read; null: it was read. */
  readonly trouble: string | null;
}

/** Never rejects, and takes 2 s at most. */
export async function readLastLines({ context }: StageActing, pod: Pod): Promise<LastLines> {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  const of = { namespace, name, container: HOOK_CONTAINER };
  const { timers } = context.platform;
  let callOff = (): void => {};
  const late = new Promise<LastLines>((resolve) => {
    callOff = timers.after(READ_MS, () => {
      resolve({ lines: [], trouble: `the log was not received within ${READ_MS} ms` });
    });
  });
  const read = context.readLogTail(of, { lines: LAST_LINES, bytes: LAST_BYTES }).then(
    (text): LastLines => ({ lines: linesOf(text), trouble: null }),
    (error: unknown): LastLines => ({ lines: [], trouble: errorText(error) }),
  );
  try {
    return await Promise.race([read, late]);
  } finally {
    callOff();
  }
}

function linesOf(text: string): string[] {
  const trimmed = text.replace(/\r?\n$/, '');
  return trimmed === '' ? [] : trimmed.split('\n').slice(-LAST_LINES);
}
