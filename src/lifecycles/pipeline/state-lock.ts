/**
 * Lets one session at a time read, change and write a file of `.lifehook` that all sessions of a checkout share.
 * Without it, two sessions that write at once would lose the change of one of them.
 */
import { waitForWriterLock } from '../../store/wait-for-lock.ts';
import type { PipelineSession } from './session.ts';

/**
 * Milliseconds to wait for the lock. A change takes milliseconds: a session that has the lock for longer is suspended,
 * or its disk hangs.
 */
const LOCK_WAIT_MS = 10_000;
const FOLDER_MODE = 0o755;

/** Rejects with LHE008 if another process keeps the lock for LOCK_WAIT_MS. */
export async function withStateLock<T>(
  { platform, processTable, stateFolder }: PipelineSession,
  work: () => Promise<T>,
): Promise<T> {
  const { files, clock, timers } = platform;
  await files.makeFolder(stateFolder, FOLDER_MODE);
  const lock = await waitForWriterLock({
    files,
    folder: stateFolder,
    // Not `writer`: a file with that name marks the state directory of a local cluster.
    name: 'shared',
    processes: processTable,
    clock,
    timers,
    waitMs: LOCK_WAIT_MS,
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
