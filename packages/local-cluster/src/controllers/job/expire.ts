/** A job that is over goes some time after, where it says how long it is of use. */
import type { Job } from 'kubernetes-types/batch/v1.js';

import { isGoing } from '../../../../../src/controller/finalizers.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { jobs } from '../../../../../src/kube/resources.ts';
import { identityOf } from '../workload/parts.ts';
import { isFinished } from './ending.ts';

/** null: it stays. */
export function expiresInMs(job: Job, nowMs: number): number | null {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  const finishedMs = Date.parse(isFinished(job)?.lastTransitionTime ?? '');
  if (seconds === undefined || Number.isNaN(finishedMs) || isGoing(job)) return null;
  return Math.max(0, finishedMs + seconds * 1_000 - nowMs);
}

/** Its pods go before it. */
export async function expireJob(client: KubeClient, job: Job, nowMs: number): Promise<Outcome> {
  const ms = expiresInMs(job, nowMs);
  if (ms === null) return done;
  if (ms > 0) return requeueAfter(ms, 'ttlSecondsAfterFinished');
  const { namespace, name, uid } = identityOf(job);
  try {
    const how = { propagationPolicy: 'Foreground', preconditions: { uid } } as const;
    await client.delete(jobs, { namespace, name }, how);
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
  return done;
}
