import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';

import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import { neverCancelled } from '../engine/act.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import type { CancelSignal } from '../platform/platform.ts';
import {
  describeStop,
  firstSignal,
  type Limits,
  reachedLimit,
  type StopCause,
  watchLimits,
} from './limits.ts';

function cancelled(reason?: string): LinkedSignal {
  const signal = new LinkedSignal();
  signal.abortWith(reason);
  return signal;
}

describe('reachedLimit', () => {
  it.each<[string, Limits, StopCause | null]>([
    ['a cancellation', { signal: cancelled(), timeoutMs: null }, 'Cancelled'],
    ['a cancellation and no time', { signal: cancelled(), timeoutMs: 0 }, 'Cancelled'],
    ['no time left', { signal: neverCancelled, timeoutMs: 0 }, 'TimedOut'],
    ['a passed deadline', { signal: neverCancelled, timeoutMs: -5 }, 'TimedOut'],
    ['a millisecond left', { signal: neverCancelled, timeoutMs: 1 }, null],
    ['no deadline', { signal: neverCancelled, timeoutMs: null }, null],
  ])('with %s', (_what, limits, expected) => {
    expect(reachedLimit(limits)).toBe(expected);
  });
});

describe('watchLimits', () => {
  it('resolves at the deadline', async () => {
    const { platform, advance } = handTime();
    const { reached } = watchLimits({ timeoutMs: 100, signal: neverCancelled }, platform.timers);
    advance(100);
    await expect(reached).resolves.toBe('TimedOut');
  });

  it('resolves at the cancellation, which comes before the deadline', async () => {
    const { platform, advance } = handTime();
    const signal = new LinkedSignal();
    const { reached } = watchLimits({ timeoutMs: 100, signal }, platform.timers);
    signal.abort();
    advance(100);
    await expect(reached).resolves.toBe('Cancelled');
  });

  it('leaves no timer and no listener behind when it is released', () => {
    let timers = 0;
    const listeners = new Set<() => void>();
    const signal: CancelSignal = {
      aborted: false,
      addEventListener: (_type, listener) => listeners.add(listener),
      removeEventListener: (_type, listener) => listeners.delete(listener),
    };
    const after = (): (() => void) => {
      timers += 1;
      return () => (timers -= 1);
    };
    const watch = watchLimits({ timeoutMs: 100, signal }, { after });
    expect([timers, listeners.size]).toEqual([1, 1]);
    watch.release();
    expect([timers, listeners.size]).toEqual([0, 0]);
  });

  it('listens to a signal that is not our own until it is released', () => {
    const { platform } = handTime();
    const { signal } = new AbortController();
    const watch = watchLimits({ timeoutMs: null, signal }, platform.timers);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    watch.release();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('sets no timer without a deadline', () => {
    const after = (): never => {
      throw new Error('a timer was set');
    };
    const watch = watchLimits({ timeoutMs: null, signal: neverCancelled }, { after });
    expect(() => {
      watch.release();
    }).not.toThrow();
  });
});

describe('the first signal of a stopped attempt', () => {
  it.each([
    ['Cancelled', 'SIGINT', 'SIGINT'],
    ['Cancelled', 'SIGTERM', 'SIGTERM'],
    ['Cancelled', undefined, 'SIGTERM'],
    ['TimedOut', 'SIGINT', 'SIGTERM'],
  ] as const)('that is %s after %s is %s', (cause, reason, expected) => {
    expect(firstSignal(cause, { timeoutMs: 1, signal: cancelled(reason) })).toBe(expected);
  });
});

describe('the reason of a stopped attempt', () => {
  it.each([
    ['Cancelled', 30_000, 'was cancelled'],
    ['TimedOut', 30_000, 'did not end within 30 s'],
    ['TimedOut', 1_250, 'did not end within 1.25 s'],
    ['TimedOut', 0.4, 'had no time left'],
    ['TimedOut', -7, 'had no time left'],
    ['TimedOut', null, 'had no time left'],
  ] as const)('%s with %s ms is "%s"', (cause, timeoutMs, expected) => {
    expect(describeStop(cause, { timeoutMs, signal: neverCancelled })).toBe(expected);
  });
});
