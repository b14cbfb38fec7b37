/** The end of a development session: what it has deployed is deleted, whatever ended it. */
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import { readInventory, scopesOfContext, union } from '../deploy/inventory.ts';
import { type ObjectRef, titleOf } from '../deploy/object-name.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { driveDelete } from './delete.ts';

/** For all of it, cleanup hooks included, milliseconds. A second interruption ends it sooner. */
export const CLEANUP_MS = 120_000;

const FAILED = 1;
const INTERRUPTED = 130;
const MAX_NAMES = 10;

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
