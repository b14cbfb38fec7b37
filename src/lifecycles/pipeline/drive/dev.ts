/**
 * `dev`: everything once, then with each change the least that brings it to where it counts, until a cancellation.
 *
 * D1 An iteration that fails, also the first unless `keepsRunning` is false, is told, and the next change begins the next
 *    one; what failed stays due.
 * D2 Only content begins an iteration (case 23); a change during one is seen after it.
 * D3 A configuration that was changed is read again; values of hooks, history and locks stay (case 46). One that can't
 *    be read is told, and the loop goes on when it has been changed again.
 * D4 At the end nothing is left: hooks' groups have ended, with their `finally`; ports are closed; what was deployed is
 *    taken away, with the cleanup hooks, unless that is not wanted.
 * D5 A container that starts anew, in place or in another pod, has lost what was synced: it is told, and sent again.
 */
import type { PhaseResult, PipelineSession } from '../session.ts';
import { cleanUp, endedInHurry } from './dev-cleanup.ts';
import { DevLoop, type DevPorts, type Failure } from './dev-loop.ts';

export interface DevOptions extends DevPorts {
  /** At the end, what was deployed is taken away. */
  readonly cleanup: boolean;
}

const STAYS = { outcome: 'Succeeded', value: null } as const;

/**
 * Until the session's signal aborts, which is its good end: Succeeded, unless the clean-up failed or was interrupted
 * in its turn.
 */
export async function runDev(
  session: PipelineSession,
  options: DevOptions,
): Promise<PhaseResult<null>> {
  const loop = new DevLoop(session, options);
  let failure: Failure | null;
  try {
    failure = await loop.run();
  } finally {
    await loop.close();
  }
  const end = options.cleanup ? await cleanUp(loop.session) : STAYS;
  return failure ?? endedInHurry(loop.session, end);
}
