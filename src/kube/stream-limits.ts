import type { CancelSignal, Timers } from '../platform/platform.ts';

/** What ends a call on a stream from our side: its deadline or its caller. */
export interface CallLimits {
  /** One was reached before the call began. */
  readonly reachedNow: boolean;
  /** Resolves at the first that is reached, if one ever is. */
  readonly reached: Promise<'timedOut' | 'cancelled'>;
  /** Aborts when one is reached, and at the release. */
  readonly signal: AbortSignal;
  /** Leaves no timer and no listener behind. */
  release(): void;
}

export function watchCall(
  timers: Timers,
  { timeoutMs, signal }: { readonly timeoutMs?: number; readonly signal?: CancelSignal },
): CallLimits {
  const controller = new AbortController();
  let release = (): void => undefined;
  const reached = new Promise<'timedOut' | 'cancelled'>((resolve) => {
    const stop = (cause: 'timedOut' | 'cancelled'): void => {
      resolve(cause);
      controller.abort();
    };
    const cancel = (): void => {
      stop('cancelled');
    };
    const callOff =
      timeoutMs === undefined
        ? null
        : timers.after(timeoutMs, () => {
            stop('timedOut');
          });
    signal?.addEventListener('abort', cancel);
    release = (): void => {
      callOff?.();
      signal?.removeEventListener('abort', cancel);
      controller.abort();
    };
  });
  return {
    reachedNow: signal?.aborted === true || (timeoutMs !== undefined && timeoutMs <= 0),
    reached,
    signal: controller.signal,
    release: () => {
      release();
    },
  };
}
