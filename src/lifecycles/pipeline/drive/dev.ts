/**
 * `dev`: does everything once, then processes each change with the least work, until a cancellation.
 *
 * PIPE-D1 A failed iteration is reported, and the next change starts the next one; the failed work stays pending. This
 *     holds for the first iteration too, unless `keepsRunning` is false.
 * PIPE-D2 Only changed content starts an iteration (PIPE-CASE23). A change during an iteration starts the next one.
 * PIPE-D3 A changed configuration is read again; values of hooks, history and locks stay (PIPE-CASE46). An unreadable
 *     configuration is reported, and the loop continues after its next change.
 * PIPE-D4 At the end nothing is left: all hooks have exited, `finally` hooks included; ports are closed; deployed
 *     objects are deleted, with the cleanup hooks, unless cleanup is off.
 * PIPE-D5 A container that restarts, in place or in another pod, has lost its synced files: this is reported, and they
 *     are sent again.
 */
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import { readInventory, scopesOfContext, union } from '../deploy/inventory.ts';
import { type ObjectRef, titleOf } from '../deploy/object-name.ts';
import type { PhaseFailure, PhaseResult, PipelineSession } from '../session.ts';
import { driveDelete } from './deploy.ts';
import { DevLoop, type DevPorts } from './dev-loop.ts';

export interface DevOptions extends DevPorts {
  /** Whether deployed objects are deleted at the end. */
  readonly cleanup: boolean;
}

const STAYS = { outcome: 'Succeeded', value: null } as const;

/**
 * Runs a development session until its signal aborts. That counts as success, unless the cleanup failed or was
 * interrupted too.
 */
export async function runDev(
  session: PipelineSession,
  options: DevOptions,
): Promise<PhaseResult<null>> {
  const loop = new DevLoop(session, options);
  let failure: PhaseFailure | null;
  try {
    failure = await runAndClose(loop);
  } catch (error) {
    if (options.cleanup) await cleanUp(loop.session);
    throw error;
  }
  const end = options.cleanup ? await cleanUp(loop.session) : STAYS;
  if (failure === null) return endedInHurry(loop.session, end);
  if (end.outcome === 'Succeeded') return failure;
  return { ...failure, message: `${failure.message}\n${end.message}` };
}

async function runAndClose(loop: DevLoop): Promise<PhaseFailure | null> {
  try {
    return await loop.run();
  } finally {
    await loop.close();
  }
}

/**
 * Milliseconds for the deletion and its before and after hooks. A second interruption stops it earlier. `onError` and
 * `finally` hooks have their own timeouts.
 */
export const CLEANUP_MS = 120_000;

const FAILED = 1;
const INTERRUPTED = 130;
const MAX_NAMES = 10;

/** Ends a development session, for whatever reason it stopped: deletes the deployed objects. */
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

/**
 * The result of a session that the user may have interrupted twice. After a second interruption it is never a success,
 * even if everything was done.
 */
export async function endedInHurry(
  session: PipelineSession,
  result: PhaseResult<null>,
): Promise<PhaseResult<null>> {
  if (!session.hooks.hurry.aborted) return result;
  const first =
    result.outcome === 'Succeeded'
      ? `The session was interrupted twice: "finally" hooks may be incomplete.\n${await leftText(session)}`
      : result.message;
  return { outcome: 'Cancelled', exitCode: INTERRUPTED, message: first };
}

/** Names the objects of this project that may still be in the cluster. */
async function leftText(session: PipelineSession): Promise<string> {
  const { ours } = scopesOfContext(await readInventory(session), session.target?.context ?? '');
  const refs = Object.values(ours).reduce<readonly ObjectRef[]>(union, []);
  if (refs.length === 0) return 'No deployed object is left.';
  const names = refs.slice(0, MAX_NAMES).map(titleOf).join(', ');
  const more = refs.length > MAX_NAMES ? ` and ${refs.length - MAX_NAMES} more` : '';
  return `Deployed objects may still exist: ${names}${more}. Next: run \`lifehook pipeline delete\`.`;
}
