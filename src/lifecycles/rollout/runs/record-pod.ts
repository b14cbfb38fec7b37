import type { Outcome } from '../../../controller/reconcile.ts';
import { withPod } from './run-status.ts';
import type { StageStep } from './stage.ts';
import { again, type StageActing, writeRun } from './stage-acting.ts';

export type PodToRecord = Omit<Extract<StageStep, { kind: 'recordPod' }>, 'kind'>;

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
