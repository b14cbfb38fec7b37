/** Decides whether a job ends, and why. The first reason that applies wins. Pure. */
import type { Job, JobCondition } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { conditionsOf } from '../workload/parts.ts';
import { failedOf, succeededOf, type Tally } from './tally.ts';

/** Condition that is set before the job's pods are deleted. `Failed` or `Complete` follows afterwards. */
export interface Ending {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

export interface EndingFacts {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly tally: Tally;
  readonly nowMs: number;
}

export function endingOf(facts: EndingFacts): Ending | null {
  return (
    reportedEnding(facts.job) ??
    tooManyFailures(facts) ??
    deadlineEnding(facts) ??
    completionEnding(facts)
  );
}

/** The end that the status already reports, which is final. */
export function reportedEnding(job: Job): Ending | null {
  const found = conditionsOf(job).find(
    ({ type, status }) =>
      status === 'True' && ['FailureTarget', 'SuccessCriteriaMet'].includes(type),
  );
  if (found === undefined) return null;
  const { type, reason = '', message = '' } = found;
  return { type: type as Ending['type'], reason, message };
}

function tooManyFailures({ job, pods, tally }: EndingFacts): Ending | null {
  const { backoffLimit = 0 } = job.spec ?? {};
  const restarts = restartsOf(job, pods);
  const tooMany = failedOf(tally) > backoffLimit || (restarts > 0 && restarts >= backoffLimit);
  return tooMany
    ? failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
    : null;
}

/** Number of restarts in running and pending pods. With OnFailure, containers fail and restart within one pod. */
function restartsOf({ spec }: Job, pods: readonly Pod[]): number {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return 0;
  return pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [
      ...(status?.initContainerStatuses ?? []),
      ...(status?.containerStatuses ?? []),
    ])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function deadlineEnding({ job, nowMs }: EndingFacts): Ending | null {
  const leftMs = deadlineLeftMs(job, nowMs);
  if (leftMs === null || leftMs > 0) return null;
  return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
}

/** Milliseconds until activeDeadlineSeconds is exceeded; null if there is no deadline or the job is not running. */
export function deadlineLeftMs({ spec, status }: Job, nowMs: number): number | null {
  const startedMs = Date.parse(status?.startTime ?? '');
  const { activeDeadlineSeconds, suspend } = spec ?? {};
  if (activeDeadlineSeconds === undefined || suspend === true || Number.isNaN(startedMs)) {
    return null;
  }
  return startedMs + activeDeadlineSeconds * 1_000 - nowMs;
}

function failure(reason: string, message: string): Ending {
  return { type: 'FailureTarget', reason, message };
}

/**
 * The end of a job with enough successes, once no pod runs; null: not yet. Without `completions` one success is enough.
 */
function completionEnding({ job, tally }: EndingFacts): Ending | null {
  const { completions } = job.spec ?? {};
  const succeeded = succeededOf(tally);
  const enough = completions === undefined ? succeeded > 0 : succeeded >= completions;
  if (!enough || tally.active.length > 0) return null;
  return {
    type: 'SuccessCriteriaMet',
    reason: 'CompletionsReached',
    message: 'Reached expected number of succeeded pods',
  };
}

export function isFinished(job: Job): JobCondition | null {
  const found = conditionsOf(job).find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  return found ?? null;
}
