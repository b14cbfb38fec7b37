import process from 'node:process';

/** Aborts at the first SIGINT (Ctrl-C), SIGHUP or SIGTERM; the command then stops its work and cleans up. */
export function cancelOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
}

/**
 * Aborts after `ms` milliseconds, and does not keep the process alive. Do not use `AbortSignal.timeout` instead:
 * `AbortSignal.any` refers to its source signals weakly. Node 20 may then collect the source, and the combined signal
 * never aborts.
 */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort(new DOMException('The time limit was reached.', 'TimeoutError'));
  }, ms).unref();
  return controller.signal;
}
