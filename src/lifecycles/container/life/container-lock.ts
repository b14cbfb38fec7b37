/**
 * Only one command at a time changes a container; a second one waits a little and then reports the one that holds
 * the lock. Reading the state and sending a signal need no lock: a hanging hook must prevent neither
 * of them.
 */
import { LifehookError } from '../../../model/problem.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import { sleep } from '../../../platform/sleep.ts';
import { procTable } from '../../../store/process-table.ts';
import { takeWriterLock, type WriterLock } from '../../../store/writer-lock.ts';
import { type ContainerFolder, notFound } from './container-folder.ts';
import type { Life } from './life.ts';

/** How long a second command waits for the first. */
const LOCK_WAIT_MS = 3_000;
const lockPollMs = 25;

/** Throws a LifehookError if the container does not exist, or another command keeps the lock. */
export async function withLock<T>(
  life: Life,
  folder: ContainerFolder,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeLock(life, folder);
  if (lock === null) throw notFound(life, folder);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** null: the directory does not exist, or was deleted while waiting for the lock. */
export function takeLock(life: Life, folder: ContainerFolder): Promise<WriterLock | null> {
  return unlessMissing(waitForLock(life, folder));
}

async function waitForLock(life: Life, { path, files }: ContainerFolder): Promise<WriterLock> {
  const { clock, timers } = life.platform;
  const processes = procTable(files);
  const giveUpAtMs = clock.monotonicMs() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await takeWriterLock({ files, folder: path, processes });
    } catch (error) {
      const [problem] = error instanceof LifehookError ? error.problems : [];
      if (problem?.code !== 'LHE008') throw error;
      if (clock.monotonicMs() >= giveUpAtMs) throw busy(problem.message, error);
    }
    await sleep(timers, lockPollMs);
  }
}

function busy(why: string, cause: unknown): LifehookError {
  return new LifehookError(
    {
      code: 'LHC213',
      message: `Another command is changing this container, and had not ended after ${LOCK_WAIT_MS / 1_000} s. ${why}`,
      next: 'Wait until that command has ended, or end it; then try again.',
    },
    { cause },
  );
}
