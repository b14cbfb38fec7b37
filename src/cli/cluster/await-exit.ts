/** Waits for the end of a cluster's process. */
import { setTimeout as wait } from 'node:timers/promises';

import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { type ProcessIdentity, procTable } from '../../store/process-table.ts';

/**
 * Milliseconds that the cluster's process may take to exit. It gives its containers two seconds between SIGTERM and
 * SIGKILL; the rest is for the journal.
 */
export const PATIENCE_MS = 15_000;
const POLL_MS = 20;

/** Resolves when the process has exited: it writes its last log lines after it has reported that it stopped. */
export async function waitUntilExited(served: ProcessIdentity): Promise<void> {
  const processes = procTable(nodePlatform.files);
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (!(await processes.isAlive(served))) return;
    await wait(POLL_MS);
  }
  throw new LifehookError({
    code: 'LHA102',
    message: `The cluster's process ${served.pid} has not exited within ${PATIENCE_MS / 1_000} s.`,
    next: `stop it with kill -9 ${served.pid}; the state of the cluster is kept.`,
  });
}
