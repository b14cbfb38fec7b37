import type { AttemptRequest } from '../engine/act.ts';
import type { Timers } from '../platform/platform.ts';

/**
 * What may end an attempt from outside: its deadline or a cancellation. The first of them is the
 * cause; what comes later changes nothing. Part of the shim: nothing that QuickJS lacks.
 */
export type StopCause = 'TimedOut' | 'Cancelled';

export type Limits = Pick<AttemptRequest, 'timeoutMs' | 'signal'>;

/** The limit that was reached before the attempt began: then nothing is to be started at all. */
export function reachedLimit({ timeoutMs, signal }: Limits): StopCause | null {
  if (signal.aborted) return 'Cancelled';
  return timeoutMs !== null && timeoutMs <= 0 ? 'TimedOut' : null;
}

export interface LimitWatch {
  /** Resolves at the first limit that is reached, if one ever is. */
  readonly reached: Promise<StopCause>;
  /** Leaves no timer and no listener behind. */
  release(): void;
}

export function watchLimits({ timeoutMs, signal }: Limits, timers: Timers): LimitWatch {
  let release = (): void => undefined;
  const reached = new Promise<StopCause>((resolve) => {
    const cancel = (): void => {
      resolve('Cancelled');
    };
    const expire = (): void => {
      resolve('TimedOut');
    };
    const callOff = timeoutMs === null ? null : timers.after(timeoutMs, expire);
    signal.addEventListener('abort', cancel);
    release = (): void => {
      callOff?.();
      signal.removeEventListener('abort', cancel);
    };
  });
  return {
    reached,
    release: () => {
      release();
    },
  };
}

/** The first signal that a stopped attempt gets: after Ctrl-C that of a terminal. */
export function firstSignal(cause: StopCause, { signal }: Limits): 'SIGINT' | 'SIGTERM' {
  return cause === 'Cancelled' && signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
}

/** Why an attempt that met a limit ended, as the beginning of a sentence about it. */
export function describeStop(cause: StopCause, { timeoutMs }: Limits): string {
  return cause === 'Cancelled' ? 'was cancelled' : `did not end within ${seconds(timeoutMs ?? 0)}`;
}

/** Milliseconds as people read them: 30000 is "30 s", 1250 is "1.25 s". */
function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms)) / 1000} s`;
}
