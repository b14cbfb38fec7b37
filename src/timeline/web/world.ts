/** The clock and the timers of a browser: the only file of the page that uses them. */

export interface PageWorld {
  /** Never steps back; meaningful only as a difference. */
  monotonicMs(): number;
  /** Calls back once after `ms`; the returned function cancels it. */
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
