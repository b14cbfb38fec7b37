import process from 'node:process';

import type { Clock } from '../../platform/platform.ts';

/** Ctrl-C, hang-up and TERM: the first ends what runs in order, one more ends also what tidies up. */
export interface Interruptions {
  readonly signal: AbortSignal;
  readonly hurry: AbortSignal;
}

/** Who runs us may pass on what the terminal has sent us already: that is no second one. Milliseconds. */
export const SAME_ONE_MS = 300;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `source` is this process, but in tests. */
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
