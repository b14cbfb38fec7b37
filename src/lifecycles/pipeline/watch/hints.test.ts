import { describe, expect, test } from 'vitest';

import type { Platform } from '../../../platform/platform.ts';
import { Hints, LONGEST_MS, MAX_HINTS, QUIET_MS } from './hints.ts';

/** Time that advances only while the code waits. */
function world(): {
  platform: Pick<Platform, 'clock' | 'timers'>;
  onWait: (() => void)[];
  nowMs: () => number;
} {
  let ms = 0;
  const onWait: (() => void)[] = [];
  const clock = { nowMs: () => ms, monotonicMs: () => ms };
  const timers = {
    after: (wait: number, callback: () => void) => {
      queueMicrotask(() => {
        ms += wait;
        onWait.shift()?.();
        callback();
      });
      return () => undefined;
    },
  };
  return { platform: { clock, timers }, onWait, nowMs: () => ms };
}

const { signal } = new AbortController();

describe('hints of changes', () => {
  test('are returned without a path after a wake', async () => {
    const hints = new Hints(world().platform);
    const found = hints.next(signal);
    hints.wake();
    expect(await found).toEqual({ paths: new Set(), isIncomplete: false });
    hints.add('/a');
    expect((await hints.next(signal))?.paths).toEqual(new Set(['/a']));
  });

  test('are returned together after a quiet period', async () => {
    const { platform, onWait, nowMs } = world();
    const hints = new Hints(platform);
    onWait.push(() => {
      hints.add('/b');
    });
    hints.add('/a');
    const found = await hints.next(signal);
    expect([...(found?.paths ?? [])]).toEqual(['/a', '/b']);
    expect(nowMs()).toBe(2 * QUIET_MS);
  });

  test('are returned after the longest wait when there is no quiet period', async () => {
    const { platform, onWait, nowMs } = world();
    const hints = new Hints(platform);
    for (let index = 0; index < 1_000; index += 1) {
      onWait.push(() => {
        hints.add(`/${index}`);
      });
    }
    hints.add('/a');
    await hints.next(signal);
    expect(nowMs()).toBeLessThanOrEqual(LONGEST_MS + QUIET_MS);
  });

  test('are returned only once', async () => {
    const hints = new Hints(world().platform);
    hints.add('/a');
    await hints.next(signal);
    const waiting = hints.next(signal);
    hints.add('/b');
    expect([...((await waiting)?.paths ?? [])]).toEqual(['/b']);
  });

  test('beyond the limit are dropped, and the rest is marked as incomplete', async () => {
    const hints = new Hints(world().platform);
    for (let index = 0; index <= MAX_HINTS; index += 1) hints.add(`/${index}`);
    const found = await hints.next(signal);
    expect(found?.paths.size).toBe(MAX_HINTS);
    expect(found?.isIncomplete).toBe(true);
  });

  test('resolve to null when the signal aborts', async () => {
    const end = new AbortController();
    const waiting = new Hints(world().platform).next(end.signal);
    end.abort();
    expect(await waiting).toBeNull();
  });
});
