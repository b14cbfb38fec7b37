import process from 'node:process';

/** Aborts at the first Ctrl-C, hang-up or TERM; what was begun is then ended in order. */
export function cancelOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
}
