import type { AttemptRequest } from '../engine/act.ts';
import type { Timers } from '../platform/platform.ts';

/**
 * Why an attempt was stopped from outside: by its deadline or by a cancellation. The first one that happens is the
 * cause; later ones change nothing. Part of the shim: uses nothing that QuickJS lacks.
 */
export type StopCause = 'TimedOut' | 'Cancelled';

export type Limits = Pick<AttemptRequest, 'timeoutMs' | 'signal'>;

/** The limit that was reached before the attempt began; null: none. If there is one, nothing may be started. */
export function reachedLimit({ timeoutMs, signal }: Limits): StopCause | null {
  if (signal.aborted) return 'Cancelled';
  return timeoutMs !== null && timeoutMs <= 0 ? 'TimedOut' : null;
}

export interface LimitWatch {
  /** Resolves when the first limit is reached; may stay pending for ever. */
  readonly reached: Promise<StopCause>;
  /** Removes all timers and listeners. */
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

/** The first signal that a stopped command gets: INT after Ctrl-C, as from a terminal, else TERM. */
export function firstSignal(cause: StopCause, { signal }: Limits): 'SIGINT' | 'SIGTERM' {
  return cause === 'Cancelled' && signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
}

/** Why an attempt was stopped, as the predicate of a sentence: "was cancelled". */
export function describeStop(cause: StopCause, { timeoutMs }: Limits): string {
  if (cause === 'Cancelled') return 'was cancelled';
  const limitMs = Math.round(timeoutMs ?? 0);
  return limitMs > 0 ? `did not end within ${seconds(limitMs)}` : 'had no time left';
}

/** Milliseconds in readable form: 30000 is "30 s", 1250 is "1.25 s". */
function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms)) / 1000} s`;
}
