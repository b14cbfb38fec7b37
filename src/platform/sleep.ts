import type { CancelSignal, Timers } from './platform.ts';

/**
 * Resolves after `ms`, or as soon as the signal aborts: the caller checks the signal to distinguish the two. No timer
 * and no listener is left. Part of the shim: no Node in here.
 */
export function sleep(timers: Timers, ms: number, signal?: CancelSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      callOff();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const callOff = timers.after(ms, finish);
    signal?.addEventListener('abort', finish);
  });
}
