/** At most one process has a cluster's state folder: everything in it, its containers included, is its. */
import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable } from '../../store/process-table.ts';
import { takeWriterLock, type WriterLock } from '../../store/writer-lock.ts';
import { hasState } from './state-marks.ts';

const { files } = nodePlatform;
const FOLDER_MODE = 0o700;
const LOCK_IN_USE = 'LHE008';
export const STATE_IN_USE = 'LHA105';

/** Rejects where it has files of others. */
export async function makeStateFolder(folder: string): Promise<void> {
  try {
    await files.makeFolder(folder, FOLDER_MODE);
  } catch (error) {
    throw notWritable(folder, error);
  }
  await hasState(folder);
}

/** Rejects with `STATE_IN_USE` while another process has it. */
export async function holdState(folder: string): Promise<WriterLock> {
  try {
    return await takeWriterLock({ files, folder, processes: procTable(files) });
  } catch (error) {
    if (!(error instanceof LifehookError)) throw notWritable(folder, error);
    if (error.problems[0]?.code !== LOCK_IN_USE) throw error;
    throw new LifehookError(
      {
        code: STATE_IN_USE,
        severity: 'error',
        message: `Another process is starting, running or removing the cluster in ${folder}.`,
        next: 'look with lifehook status, or wait until that process has ended.',
      },
      { cause: error },
    );
  }
}

export function isStateInUse(error: unknown): boolean {
  return error instanceof LifehookError && error.problems[0]?.code === STATE_IN_USE;
}

export function notWritable(folder: string, error: unknown): LifehookError {
  const why = error instanceof Error ? error.message : String(error);
  return new LifehookError(
    {
      code: 'LHA106',
      severity: 'error',
      message: `The cluster keeps its state in ${folder}, which cannot be written: ${why}.`,
      next: 'make that directory writable, or choose another one with --state-dir.',
    },
    { cause: error },
  );
}
