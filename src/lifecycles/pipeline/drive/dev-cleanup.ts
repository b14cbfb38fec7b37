/** The end of a development session: what it has deployed goes, whatever ended it. */
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { driveDelete } from './delete.ts';

/** For all of it, cleanup hooks included, milliseconds. A second interruption ends it sooner. */
export const CLEANUP_MS = 120_000;

const FAILED = 1;

export async function cleanUp(session: PipelineSession): Promise<PhaseResult<null>> {
  if (session.target === null) return { outcome: 'Succeeded', value: null };
  const { timers } = session.platform;
  const limit = new LinkedSignal(session.hooks.hurry);
  const callOff = timers.after(CLEANUP_MS, limit.abort);
  try {
    const result = await driveDelete({ ...session, hooks: { ...session.hooks, signal: limit } });
    return result.outcome === 'Succeeded' || !limit.aborted ? result : cutShort(result);
  } catch (error) {
    const problems = error instanceof LifehookError ? error.problems.map(formatProblem) : [];
    const message = problems.length > 0 ? problems.join('\n') : String(error);
    return { outcome: 'Failed', exitCode: FAILED, message };
  } finally {
    callOff();
    limit.release();
  }
}

function cutShort<T extends { readonly message: string }>(result: T): T {
  const rest = 'What was deployed may still be there. Next: run `lifehook pipeline delete`.';
  return { ...result, message: `${result.message}\n${rest}` };
}
