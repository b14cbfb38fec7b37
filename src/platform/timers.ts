import type { Clock, Timers } from './platform.ts';

/** Node's timers, extended to waits of any length. */
export const nodeTimers: Timers = {
  after(ms, callback): () => void {
    if (ms <= 0) {
      const turn = setImmediate(callback);
      return () => {
        clearImmediate(turn);
      };
    }
    let handle: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const stretchMs = Math.min(leftMs, longestStretchMs);
      handle = setTimeout(() => {
        if (leftMs > stretchMs) arm(leftMs - stretchMs);
        else callback();
      }, stretchMs);
    };
    arm(ms);
    return () => {
      clearTimeout(handle);
    };
  },
};

/**
 * Maximum delay of one timer of Node, milliseconds. Node stores the delay in 32 bits: a longer one (over 24.8 days)
 * would fire at once.
 */
const longestStretchMs = 2 ** 31 - 1;

/** The clocks of the machine. */
export const nodeClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
