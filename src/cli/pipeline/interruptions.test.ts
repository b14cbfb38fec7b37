import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';

import { interruptions, SAME_ONE_MS } from './interruptions.ts';

test('the first signal stops the run, one right after it is ignored, and a later one skips cleanup', () => {
  let nowMs = 1_000;
  const source = new EventEmitter();
  const { signal, hurry } = interruptions({ monotonicMs: () => nowMs }, source);
  expect([signal.aborted, hurry.aborted]).toEqual([false, false]);
  source.emit('SIGINT');
  source.emit('SIGINT');
  nowMs += SAME_ONE_MS - 1;
  source.emit('SIGTERM');
  expect([signal.aborted, hurry.aborted]).toEqual([true, false]);
  nowMs += 1;
  source.emit('SIGINT');
  expect([signal.aborted, hurry.aborted]).toEqual([true, true]);
});

test('what is aborted says by which signal', () => {
  const source = new EventEmitter();
  const { signal } = interruptions({ monotonicMs: () => 0 }, source);
  source.emit('SIGTERM');
  expect(signal.reason).toBe('SIGTERM');
});
