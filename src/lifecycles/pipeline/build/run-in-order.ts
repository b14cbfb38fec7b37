/** Runs tasks with requirements: in parallel, each after its requirements have succeeded (PIPE-CASE43). */

export interface OrderedWork<T> {
  /** Unique. */
  readonly key: string;
  readonly requires: readonly string[];
  readonly value: T;
}

export interface OrderedRun<T, R> {
  /** Maximum number of parallel tasks; 0: no limit. */
  readonly concurrency: number;
  /** Must not reject for a failure that the other tasks should survive. */
  readonly run: (value: T) => Promise<R>;
  readonly succeeded: (result: R) => boolean;
}

/**
 * Results by key. After a failure nothing new is started, and running tasks are awaited: a missing key was never
 * started. A requirement that is not in the list is not waited for.
 */
export async function runInOrder<T, R>(
  work: readonly OrderedWork<T>[],
  { concurrency, run, succeeded }: OrderedRun<T, R>,
): Promise<ReadonlyMap<string, R>> {
  const keys = new Set(work.map(({ key }) => key));
  const results = new Map<string, R>();
  const running = new Map<string, Promise<void>>();
  const waiting = [...work];
  const state = { failed: false };
  const isReady = ({ requires }: OrderedWork<T>): boolean =>
    requires.every((one) => !keys.has(one) || results.has(one));
  const start = async ({ key, value }: OrderedWork<T>): Promise<void> => {
    try {
      const result = await run(value);
      results.set(key, result);
      state.failed ||= !succeeded(result);
    } catch (error) {
      state.failed = true;
      throw error;
    } finally {
      running.delete(key);
    }
  };
  for (;;) {
    const free = concurrency === 0 ? waiting.length : concurrency - running.size;
    const next = state.failed
      ? []
      : waiting.filter((one) => isReady(one)).slice(0, Math.max(0, free));
    for (const one of next) {
      waiting.splice(waiting.indexOf(one), 1);
      running.set(one.key, start(one));
    }
    if (running.size === 0) return results;
    await waitForOne([...running.values()]);
  }
}

/** Rejects only when nothing runs any more: the caller may then remove the files that tasks use. */
async function waitForOne(running: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.race(running);
  } catch (error) {
    await Promise.allSettled(running);
    throw error;
  }
}
