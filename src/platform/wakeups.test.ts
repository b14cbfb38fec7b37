import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';

import { Wakeups } from './wakeups.ts';

test('wakeups wake all waiting calls, and leave no listener', async () => {
  const { signal } = new AbortController();
  const wakeups = new Wakeups();
  const waiting = Promise.all([wakeups.next(signal), wakeups.next(signal)]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  wakeups.wake();
  await waiting;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('wakeups end a wait when the signal aborts or is aborted', async () => {
  const end = new AbortController();
  const wakeups = new Wakeups();
  const waiting = wakeups.next(end.signal);
  end.abort();
  await waiting;
  await wakeups.next(end.signal);
  expect(getEventListeners(end.signal, 'abort')).toHaveLength(0);
});
