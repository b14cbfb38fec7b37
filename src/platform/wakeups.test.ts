import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';

import { Wakeups } from './wakeups.ts';

test('all who wait are woken, and leave no listener behind', async () => {
  const { signal } = new AbortController();
  const wakeups = new Wakeups();
  const waiting = Promise.all([wakeups.next(signal), wakeups.next(signal)]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  wakeups.wake();
  await waiting;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('an abort ends the wait, also one that was before it', async () => {
  const end = new AbortController();
  const wakeups = new Wakeups();
  const waiting = wakeups.next(end.signal);
  end.abort();
  await waiting;
  await wakeups.next(end.signal);
  expect(getEventListeners(end.signal, 'abort')).toHaveLength(0);
});
