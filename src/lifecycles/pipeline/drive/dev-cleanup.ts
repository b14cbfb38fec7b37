/** The end of a development session: what it has deployed goes, whatever ended it. */
import { linkSignal } from '../../../controller/link-signal.ts';
import { neverCancelled } from '../../../engine/act.ts';
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { driveDelete } from './delete.ts';

/** For all of it, cleanup hooks included, milliseconds. Nobody is left who could cancel it. */
export const CLEANUP_MS = 120_000;

const FAILED = 1;

export async function cleanUp(session: PipelineSession): Promise<PhaseResult<null>> {
  if (session.target === null) return { outcome: 'Succeeded', value: null };
  const { timers } = session.platform;
  const limit = linkSignal(neverCancelled);
  const callOff = timers.after(CLEANUP_MS, limit.abort);
  try {
    return await driveDelete({ ...session, hooks: { ...session.hooks, signal: limit.signal } });
  } catch (error) {
    const problems = error instanceof LifehookError ? error.problems.map(formatProblem) : [];
    const message = problems.length > 0 ? problems.join('\n') : String(error);
    return { outcome: 'Failed', exitCode: FAILED, message };
  } finally {
    callOff();
  }
}
