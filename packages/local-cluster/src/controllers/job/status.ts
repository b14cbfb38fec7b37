/** Computes the whole status of a job. Pure. */
import type { Job, JobCondition, JobStatus } from 'kubernetes-types/batch/v1.js';

import { timeText } from '../../../../../src/controller/kube-time.ts';
import { conditionsOf, withoutZeros } from '../workload/parts.ts';
import type { Ending } from './ending.ts';
import type { Tally } from './tally.ts';

export interface JobStatusFacts {
  readonly job: Job;
  readonly tally: Tally;
  /** Number of active pods after the deletions and creations of this reconcile. */
  readonly activeNow: number;
  readonly terminatingNow: number;
  /** Null while the job continues. */
  readonly ending: Ending | null;
  /** True if no pod runs and every pod is counted. */
  readonly over: boolean;
  readonly nowMs: number;
}

export function jobStatus(facts: JobStatusFacts): JobStatus {
  const { tally, activeNow, terminatingNow } = facts;
  const conditions = conditionsNow(facts);
  const { uncountedSucceeded, uncountedFailed } = tally;
  return {
    ...times(facts, conditions),
    ...withoutZeros({
      active: activeNow,
      succeeded: tally.countedSucceeded,
      failed: tally.countedFailed,
    }),
    ready: Math.min(tally.ready, activeNow),
    terminating: terminatingNow,
    uncountedTerminatedPods: {
      ...(uncountedSucceeded.length > 0 ? { succeeded: [...uncountedSucceeded] } : {}),
      ...(uncountedFailed.length > 0 ? { failed: [...uncountedFailed] } : {}),
    },
    ...(conditions.length > 0 ? { conditions: [...conditions] } : {}),
  };
}

/** The start and the end of the job. After a suspension, startTime is the time at which the job was resumed. */
function times(
  { job, nowMs }: JobStatusFacts,
  conditions: readonly JobCondition[],
): Pick<JobStatus, 'startTime' | 'completionTime'> {
  const now = timeText(nowMs);
  const resumed = isSuspended(conditionsOf(job)) && !isSuspended(conditions);
  const suspended = job.spec?.suspend === true;
  const first = suspended ? undefined : now;
  const startTime = resumed ? now : (job.status?.startTime ?? first);
  const complete = conditions.find(({ type }) => type === 'Complete');
  const completionTime = complete?.lastTransitionTime;
  return {
    ...(startTime === undefined ? {} : { startTime }),
    ...(completionTime === undefined ? {} : { completionTime }),
  };
}

export function isSuspended(conditions: readonly JobCondition[]): boolean {
  return conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
}

function conditionsNow(facts: JobStatusFacts): readonly JobCondition[] {
  const { job, ending, over } = facts;
  const before = conditionsOf(job);
  if (ending === null) return withSuspension(facts, before);
  const reported = before.some(({ type }) => type === ending.type)
    ? before
    : [...before, condition(facts, ending)];
  if (!over) return reported;
  const type = ending.type === 'FailureTarget' ? 'Failed' : 'Complete';
  return [...reported, condition(facts, { ...ending, type })];
}

function withSuspension(
  facts: JobStatusFacts,
  before: readonly JobCondition[],
): readonly JobCondition[] {
  const suspended = facts.job.spec?.suspend === true;
  if (suspended === isSuspended(before)) return before;
  const next = suspended
    ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
    : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
  return [...before.filter(({ type }) => type !== 'Suspended'), condition(facts, next)];
}

function condition(
  { nowMs }: JobStatusFacts,
  reported: {
    readonly type: string;
    readonly reason: string;
    readonly message: string;
    readonly status?: string;
  },
): JobCondition {
  const now = timeText(nowMs);
  const { type, status = 'True', reason, message } = reported;
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}
