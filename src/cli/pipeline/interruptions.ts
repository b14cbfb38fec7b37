import process from 'node:process';

import type { Clock } from '../../platform/platform.ts';

/**
 * SIGINT (Ctrl-C), SIGHUP and SIGTERM: the first stops running steps in order, the next one also stops cleanup steps.
 */
export interface Interruptions {
  readonly signal: AbortSignal;
  readonly hurry: AbortSignal;
}

/** Milliseconds. A parent process may forward a signal that the terminal already sent: that is no second one. */
export const SAME_ONE_MS = 300;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `source`: this process, except in tests. */
export function interruptions(
  clock: Pick<Clock, 'monotonicMs'>,
  source: { on(signal: NodeJS.Signals, listener: () => void): unknown } = process,
): Interruptions {
  const [first, second] = [new AbortController(), new AbortController()];
  let firstMs = 0;
  const interrupted = (name: NodeJS.Signals) => (): void => {
    const nowMs = clock.monotonicMs();
    if (!first.signal.aborted) {
      firstMs = nowMs;
      first.abort(name);
    } else if (nowMs - firstMs >= SAME_ONE_MS) {
      second.abort(name);
    }
  };
  for (const one of SIGNALS) source.on(one, interrupted(one));
  return { signal: first.signal, hurry: second.signal };
}
