import type { Outcome } from '../../../controller/reconcile.ts';
import { podIdentity } from './hook-run.ts';
import { readLastLines } from './last-lines.ts';
import { revoke } from './permit.ts';
import { withOutcome } from './run-status.ts';
import type { StageStep } from './stage.ts';
import { again, nowMs, type StageActing, writeRun } from './stage-acting.ts';
import { tellEnded, tellSettled } from './tell-stage.ts';

export type OutcomeToRecord = Omit<Extract<StageStep, { kind: 'recordOutcome' }>, 'kind'>;

/**
 * Records the outcome with the last output of the hook, then emits it. The permit is revoked before the write: the name
 * of the pod is soon free for a late request.
 */
export async function recordOutcome(
  acting: StageActing,
  { run, attempt, pod, end, abort }: OutcomeToRecord,
): Promise<Outcome> {
  const [printed] = await Promise.all([
    pod === null ? null : readLastLines(acting, pod),
    revoke(acting.client, run.metadata?.namespace ?? '', podIdentity(run, attempt)),
  ]);
  const { lines: lastLines = [], trouble = null } = printed ?? {};
  const status = withOutcome(run, { attempt, end, lastLines, abort, nowMs: nowMs(acting) });
  const written = await writeRun(acting, run, status);
  tellEnded(acting, written, { attempt, trouble });
  tellSettled(acting, written);
  return again;
}
