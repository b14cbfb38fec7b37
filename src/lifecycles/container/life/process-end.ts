import type { Platform } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';

const pollMs = 20;

/**
 * For a process that is not our child: there is no notification, so it is polled. A zombie has exited; its
 * parent may be busy, or never reap it (a container whose first process is no init).
 */
export async function waitUntilExited(
  { files, timers }: Pick<Platform, 'files' | 'timers'>,
  process: ProcessIdentity,
): Promise<null> {
  const processes = procTable(files);
  while (await processes.isAlive(process)) await sleep(timers, pollMs);
  return null;
}
