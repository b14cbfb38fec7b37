/**
 * `dev`: everything once, then with each change the least that brings it to where it counts, until a cancellation.
 *
 * PIPE-D1 An iteration that fails, also the first unless `keepsRunning` is false, is told, and the next change begins the next
 *    one; what failed stays due.
 * PIPE-D2 Only content begins an iteration (PIPE-CASE23); a change during one is seen after it.
 * PIPE-D3 A configuration that was changed is read again; values of hooks, history and locks stay (PIPE-CASE46). One that can't
 *    be read is told, and the loop goes on when it has been changed again.
 * PIPE-D4 At the end nothing is left: hooks' groups have ended, with their `finally`; ports are closed; what was deployed is
 *    taken away, with the cleanup hooks, unless that is not wanted.
 * PIPE-D5 A container that starts anew, in place or in another pod, has lost what was synced: it is told, and sent again.
 */
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import { readInventory, scopesOfContext, union } from '../deploy/inventory.ts';
import { type ObjectRef, titleOf } from '../deploy/object-name.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { driveDelete } from './delete.ts';
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

/** For all of it, cleanup hooks included, milliseconds. A second interruption ends it sooner. */
export const CLEANUP_MS = 120_000;

const FAILED = 1;
const INTERRUPTED = 130;
const MAX_NAMES = 10;

/** The end of a development session: what it has deployed is deleted, whatever ended it. */
export async function cleanUp(session: PipelineSession): Promise<PhaseResult<null>> {
  if (session.target === null) return { outcome: 'Succeeded', value: null };
  const { timers } = session.platform;
  const limit = new LinkedSignal(session.hooks.hurry);
  const callOff = timers.after(CLEANUP_MS, limit.abort);
  try {
    const result = await driveDelete({ ...session, hooks: { ...session.hooks, signal: limit } });
    if (result.outcome === 'Succeeded' || !limit.aborted) return result;
    return { ...result, message: `${result.message}\n${await leftText(session)}` };
  } catch (error) {
    const problems = error instanceof LifehookError ? error.problems.map(formatProblem) : [];
    const message = problems.length > 0 ? problems.join('\n') : String(error);
    return { outcome: 'Failed', exitCode: FAILED, message };
  } finally {
    callOff();
    limit.release();
  }
}

/** A second interruption is no good end, however far the session came. */
export async function endedInHurry(
  session: PipelineSession,
  result: PhaseResult<null>,
): Promise<PhaseResult<null>> {
  if (!session.hooks.hurry.aborted) return result;
  const first =
    result.outcome === 'Succeeded'
      ? `It was interrupted twice: hooks of finally may not have run to their end.\n${await leftText(session)}`
      : result.message;
  return { outcome: 'Cancelled', exitCode: INTERRUPTED, message: first };
}

/** What the cluster may still have of this project. */
async function leftText(session: PipelineSession): Promise<string> {
  const { ours } = scopesOfContext(await readInventory(session), session.target?.context ?? '');
  const refs = Object.values(ours).reduce<readonly ObjectRef[]>(union, []);
  if (refs.length === 0) return 'Nothing that was deployed is left.';
  const names = refs.slice(0, MAX_NAMES).map(titleOf).join(', ');
  const more = refs.length > MAX_NAMES ? ` and ${refs.length - MAX_NAMES} more` : '';
  return `What was deployed may still be there: ${names}${more}. Next: run \`lifehook pipeline delete\`.`;
}
