import type { Clock } from './platform.ts';

/** The machine's own clocks. */
export const nodeClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
