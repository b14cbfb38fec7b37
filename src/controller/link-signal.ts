import type { CancelSignal } from '../platform/platform.ts';

export interface LinkedSignal {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Lets go of the outer signal, which may live much longer. */
  readonly release: () => void;
}

/** A signal that aborts by itself or with the outer one. */
export function linkSignal(outer: CancelSignal): LinkedSignal {
  const inner = new AbortController();
  const abort = (): void => {
    inner.abort();
  };
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort);
  return {
    signal: inner.signal,
    abort,
    release: () => {
      outer.removeEventListener('abort', abort);
    },
  };
}

/** Its listener lives as long as the signal: for signals of our own, that live no longer than the wait. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
