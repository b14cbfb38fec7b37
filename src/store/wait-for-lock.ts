/** Takes the lock of a directory, and waits up to a limit while another owner has it. */
import { LifehookError } from '../model/problem.ts';
import type { Clock, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { LOCK_IN_USE, type LockOptions, takeWriterLock, type WriterLock } from './writer-lock.ts';

const lockPollMs = 25;

interface LockWait extends LockOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly waitMs: number;
}

/** Rejects with LOCK_IN_USE when the wait is over; the message has the owner of the lock. */
export async function waitForWriterLock({
  clock,
  timers,
  waitMs,
  ...options
}: LockWait): Promise<WriterLock> {
  const giveUpAtMs = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      return await takeWriterLock(options);
    } catch (error) {
      if (!isInUse(error) || clock.monotonicMs() >= giveUpAtMs) throw error;
    }
    await sleep(timers, lockPollMs);
  }
}

export function isInUse(error: unknown): error is LifehookError {
  return error instanceof LifehookError && error.problems[0]?.code === LOCK_IN_USE;
}
