import type { CancelSignal, Timers } from '../platform/platform.ts';
import { UnreachableError } from './api-error.ts';

export interface Limits {
  readonly timers: Timers;
  /** What is done, for the message: "GET /version". */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal?: CancelSignal;
}

/**
 * Settles with the work, or rejects as soon as the deadline or the signal says so, whatever the work
 * makes of the abort that it is then given. What was called off before is not begun.
 */
export async function withinLimits<T>(
  { timers, what, timeoutMs, signal }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) {
    throw new UnreachableError(`${what}: it was called off before it began`, { sent: false });
  }
  const controller = new AbortController();
  let release = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (why: string): void => {
      reject(new UnreachableError(`${what}: ${why}`, { sent: true }));
      controller.abort();
    };
    const cancel = (): void => {
      stop('it was called off');
    };
    const callOff = timers.after(timeoutMs, () => {
      stop(`no whole answer within ${Math.round(timeoutMs)} ms`);
    });
    signal?.addEventListener('abort', cancel);
    release = (): void => {
      callOff();
      signal?.removeEventListener('abort', cancel);
    };
  });
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    release();
  }
}
