import { describe, expect, test } from 'vitest';

import { HookLocks } from './run-context.ts';

const never = new AbortController().signal;

describe('a lock of hooks', () => {
  test('is held by one caller at a time, in the order of the calls, while another lock stays free', async () => {
    const locks = new HookLocks();
    const reported: string[] = [];
    const first = await locks.hold('a', never);
    const second = locks.hold('a', never).then((release) => {
      reported.push('second');
      return release;
    });
    const third = locks.hold('a', never).then((release) => {
      reported.push('third');
      return release;
    });
    expect(await locks.hold('b', never)).not.toBeNull();
    expect(reported).toEqual([]);
    first?.();
    first?.();
    (await second)?.();
    expect(reported).toEqual(['second']);
    await third;
    expect(reported).toEqual(['second', 'third']);
  });

  test('passes to the next caller when a waiting caller is cancelled', async () => {
    const locks = new HookLocks();
    const cancel = new AbortController();
    const first = await locks.hold('a', never);
    const second = locks.hold('a', cancel.signal);
    const third = locks.hold('a', never);
    cancel.abort();
    expect(await second).toBeNull();
    expect(await locks.hold('a', cancel.signal)).toBeNull();
    first?.();
    expect(await third).not.toBeNull();
  });
});
