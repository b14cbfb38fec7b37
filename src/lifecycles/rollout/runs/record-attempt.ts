/** Records in the HookRun which pod an attempt has, and how the attempt ended. */
import { again, type Outcome } from '../../../controller/reconcile.ts';
import { readLastLines } from './last-lines.ts';
import { revoke } from './permit.ts';
import { withOutcome, withPod } from './run-status.ts';
import type { StageStep } from './stage.ts';
import { nowMs, type StageActing, writeRun } from './stage-acting.ts';
import { reportEnded, reportSettled } from './report-stage.ts';

type PodToRecord = Omit<Extract<StageStep, { kind: 'recordPod' }>, 'kind'>;

/** After this write, a missing pod is a lost one (ROLL-S3). */
export async function recordPod(
  acting: StageActing,
  { run, attempt, pod }: PodToRecord,
): Promise<Outcome> {
  const { status } = run;
  if (status === undefined) return again;
  await writeRun(acting, run, withPod(status, attempt, pod.metadata?.uid ?? ''));
  return again;
}

type OutcomeToRecord = Omit<Extract<StageStep, { kind: 'recordOutcome' }>, 'kind'>;

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
    revoke(acting.client, run, attempt),
  ]);
  const { lines: lastLines = [], trouble = null } = printed ?? {};
  const status = withOutcome(run, { attempt, end, lastLines, abort, nowMs: nowMs(acting) });
  const written = await writeRun(acting, run, status);
  reportEnded(acting, written, { attempt, trouble });
  reportSettled(acting, written);
  return again;
}
