/** The clock and the timers of the browser; no other file of the page uses them. */

export interface PageWorld {
  /** Milliseconds that never step back; only the difference of two values has a meaning. */
  monotonicMs(): number;
  /** Calls back once after `ms` milliseconds; the returned function cancels the call. */
  after(ms: number, callback: () => void): () => void;
}

export const browserWorld: PageWorld = {
  monotonicMs: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};
