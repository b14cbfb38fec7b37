import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

import { abortAfter } from './cancel-on-signals.ts';

test('aborts a signal that follows it, also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const signal = AbortSignal.any([new AbortController().signal, abortAfter(100)]);
  const aborted = once(signal, 'abort');
  // The timer of `abortAfter` does not keep the process alive, so an interval does until the signal aborts.
  const keeping = setInterval(collect, 10);
  try {
    await aborted;
  } finally {
    clearInterval(keeping);
  }
  expect(signal.aborted).toBe(true);
});
