import process from 'node:process';

/** Aborts at the first SIGINT (Ctrl-C), SIGHUP or SIGTERM; the command then stops its work in order. */
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
 * Aborts after so many milliseconds, and does not keep the process alive. Do not use `AbortSignal.timeout` instead:
 * `AbortSignal.any` refers to its signals weakly, so Node 20 may collect one of those, and then nothing ends the wait.
 */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort(new DOMException('The time is over.', 'TimeoutError'));
  }, ms).unref();
  return controller.signal;
}
