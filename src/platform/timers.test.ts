import { describe, expect, test } from 'vitest';

import { sleep } from './sleep.ts';
import { nodeClock, nodeTimers } from './timers.ts';

describe('a timer', () => {
  test('calls back after its delay, and not when it is cancelled', async () => {
    const calls: string[] = [];
    const callOff = nodeTimers.after(10, () => calls.push('called off'));
    callOff();
    await new Promise<void>((resolve) => {
      nodeTimers.after(-1, () => calls.push('at once'));
      nodeTimers.after(50, resolve);
    });
    expect(calls).toEqual(['at once']);
  });

  test('of a month does not fire at once, although its delay exceeds 31 bits', async () => {
    let fired = false;
    const callOff = nodeTimers.after(31 * 24 * 3600 * 1000, () => (fired = true));
    await sleep(nodeTimers, 30);
    callOff();
    expect(fired).toBe(false);
  });
});

describe('sleep', () => {
  test('lasts for its duration', async () => {
    const start = nodeClock.monotonicMs();
    await sleep(nodeTimers, 50);
    expect(nodeClock.monotonicMs() - start).toBeGreaterThanOrEqual(48);
  });

  test('ends at once when the signal aborts or is aborted, and leaves no timer', async () => {
    const controller = new AbortController();
    let calledOff = 0;
    const timers = { after: () => () => (calledOff += 1) };
    const waiting = sleep(timers, 1, controller.signal);
    controller.abort();
    await waiting;
    expect(calledOff).toBe(1);
    await sleep({ after: () => expect.unreachable() }, 1, controller.signal);
  });
});
