import { expect, it } from 'vitest';

import { endOf } from './end-of.ts';

const generous = { limitMs: 60_000, untilIdle: true };

it('has no error of a test that passes, also one that waits for a timer', async () => {
  const test = new Promise((resolve) => {
    setTimeout(resolve, 150);
  });
  expect(await endOf(test, generous)).toEqual({ error: null, wasIdle: false });
});

it('has the error of a test that fails', async () => {
  const test = Promise.reject(new Error('not 3\n  but 4'));
  expect(await endOf(test, generous)).toEqual({ error: 'not 3', wasIdle: false });
});

it('gives a test up when nothing is left that could end it', async () => {
  expect(await endOf(new Promise(() => {}), generous)).toEqual({
    error: 'nothing was left that could end the test',
    wasIdle: true,
  });
});

it('waits for work that keeps no process alive where that is requested, and reports it', async () => {
  // Counts calls, because a busy machine delays this timer and that of `endOf` alike.
  let calls = 0;
  const test = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      calls += 1;
      if (calls < 20) return;
      clearInterval(timer);
      resolve();
    }, 25).unref();
  });
  expect(await endOf(test, { ...generous, untilIdle: false })).toEqual({
    error: null,
    wasIdle: true,
  });
});

it('gives a test up at its limit', async () => {
  const timer = setInterval(() => {}, 1000);
  const { error } = await endOf(new Promise(() => {}), { ...generous, limitMs: 50 });
  clearInterval(timer);
  expect(error).toBe('the test was running for 50 ms');
});
