/**
 * Runs one reconcile of one job: counts ended pods, creates or deletes pods, and writes the status. Then it removes the
 * finalizers of counted pods.
 *
 * - The job is read from the server, not from the cache: an older status would lose pods whose finalizer is already
 *   removed.
 * - The pods are read from the cache, which never goes backwards: a finalizer that was seen removed stays removed.
 * - No pod is created or deleted before the cache has seen all earlier creations and deletions.
 * - `Complete` and `Failed` are set once no pod runs and every pod is counted, and are final.
 */
import type { Job, JobStatus } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { aboutObject, type EventRecorder } from '../../../../../src/controller/event-recorder.ts';
import type { Expectations } from '../../../../../src/controller/expectations.ts';
import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { done, type Outcome, retry } from '../../../../../src/controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { jobs, pods as podResource } from '../../../../../src/kube/resources.ts';
import { controllerReference } from '../workload/child-index.ts';
import { conditionsOf, identityOf, templateOf } from '../workload/parts.ts';
import { carryOutPods, podFromTemplate, type PodPlan } from '../workload/pod-requests.ts';
import { allAtOnce, type SlowStart } from '../workload/slow-start.ts';
import { waitFor } from '../workload/wait-for.ts';
import { postpone, planPods } from './plan-pods.ts';
import { deadlineLeftMs, type Ending, endingOf, isFinished, reportedEnding } from './ending.ts';
import { isSuspended, jobStatus } from './status.ts';
import { isHeld, type Tally, tallyPods, TRACKING } from './tally.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';

export interface JobPass {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly expectations: Expectations;
  readonly nowMs: () => number;
  readonly job: Job;
  /** The pods that the job controls. */
  readonly pods: readonly Pod[];
}

const EVEN: PodPlan = { kind: 'even' };

export async function syncJob(pass: JobPass): Promise<Outcome> {
  const { job, pods } = pass;
  if (isFinished(job) !== null) {
    await release(pass, pods.filter(isHeld));
    return done;
  }
  const nowMs = pass.nowMs();
  const failing = reportedEnding(job)?.type === 'FailureTarget';
  const tally = tallyPods(job, pods, failing);
  const ending = endingOf({ job, pods, tally, nowMs });
  const waiting = pass.expectations.waitingFor(identityOf(job).uid);
  const wanted = waiting === null ? nextStep(pass, tally, ending) : EVEN;
  const { plan, waitMs } = postpone(wanted, pods, nowMs);
  const requests = { ...pass, ownerResource: jobs, owner: job };
  const acted = await carryOutPods(requests, plan, () => jobPod(job));
  const status = statusAfter({ pass, tally, ending, plan, acted, unsure: waiting !== null });
  await write(pass, status);
  await release(pass, tally.settled);
  if (acted.failure !== null) return retry(acted.failure.error);
  return waitFor([
    { ms: waiting?.ms ?? null, reason: waiting?.reason ?? '' },
    { ms: deadlineLeftMs({ ...job, status }, nowMs), reason: 'the active deadline' },
    { ms: waitMs, reason: 'a pod has failed' },
  ]);
}

function nextStep({ job, nowMs }: JobPass, tally: Tally, ending: Ending | null): PodPlan {
  if (ending !== null) {
    return tally.active.length > 0 ? { kind: 'delete', pods: tally.active } : EVEN;
  }
  return isTerminating(job) ? EVEN : planPods(job, tally, nowMs());
}

/** A pod of the job's template, with the finalizer that it keeps until it is counted. */
function jobPod(job: Job): Pod {
  const { namespace, name } = identityOf(job);
  const template = templateOf(job);
  const others = (template.metadata?.finalizers ?? []).filter((one) => one !== TRACKING);
  const metadata = { ...template.metadata, finalizers: [...others, TRACKING] };
  return podFromTemplate({
    namespace,
    generateName: `${name}-`,
    owner: controllerReference({ apiVersion: 'batch/v1', kind: 'Job' }, job),
    template: { ...template, metadata },
  });
}

interface After {
  readonly pass: JobPass;
  readonly tally: Tally;
  readonly ending: Ending | null;
  readonly plan: PodPlan;
  readonly acted: SlowStart;
  /** True if the cache may lack pods that were created. */
  readonly unsure: boolean;
}

function statusAfter({ pass, tally, ending, plan, acted, unsure }: After): JobStatus {
  const deleted = plan.kind === 'delete' ? acted.done : 0;
  const created = plan.kind === 'create' ? acted.done : 0;
  const activeNow = tally.active.length + created - deleted;
  const terminatingNow = tally.terminating.length + deleted;
  const left =
    activeNow + terminatingNow + tally.uncountedSucceeded.length + tally.uncountedFailed.length;
  return jobStatus({
    job: pass.job,
    tally,
    activeNow,
    terminatingNow,
    ending,
    over: left === 0 && !unsure,
    nowMs: pass.nowMs(),
  });
}

async function write(pass: JobPass, status: JobStatus): Promise<void> {
  const { client, job } = pass;
  const written = await writeStatusIfChanged({ client, resource: jobs, object: job, status });
  const finished = isFinished(written);
  if (finished?.type === 'Complete') recordEvent(pass, 'Normal', ['Completed', 'Job completed']);
  else if (finished !== null) {
    recordEvent(pass, 'Warning', [finished.reason ?? '', finished.message ?? '']);
  }
  const [before, after] = [isSuspended(conditionsOf(job)), isSuspended(conditionsOf(written))];
  if (!before && after) recordEvent(pass, 'Normal', ['Suspended', 'Job suspended']);
  if (before && !after) recordEvent(pass, 'Normal', ['Resumed', 'Job resumed']);
}

function recordEvent(
  { recorder, job }: JobPass,
  type: 'Normal' | 'Warning',
  [reason, message]: readonly [string, string],
): void {
  recorder.record({ about: aboutObject(jobs, job), type, reason, message });
}

async function release({ client }: JobPass, pods: readonly Pod[]): Promise<void> {
  const { failure } = await allAtOnce(pods, (pod) => releasePod(client, pod));
  if (failure !== null) throw failure.error;
}

/**
 * Removes the finalizer that a pod has until it is counted. Does nothing if the pod was deleted, or recreated with the
 * same name.
 */
export async function releasePod(client: KubeClient, pod: Pod): Promise<void> {
  const { namespace, name, uid } = identityOf(pod);
  const body = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING] } };
  await orNull(
    client.patch(podResource, { namespace, name }, { type: 'strategic', body }),
    'NotFound',
    'Conflict',
  );
}
