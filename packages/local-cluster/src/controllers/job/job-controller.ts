/**
 * Runs jobs until they finish. This file watches, and releases pods of deleted jobs; one reconcile is in `sync.ts`.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { Expectations, followChildren } from '../../../../../src/controller/expectations.ts';
import {
  byNamespace,
  controllerKey,
  controllerOf,
  ownKey,
} from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { getOrNull } from '../../../../../src/kube/get-or-null.ts';
import { jobs, pods } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import {
  candidatesFor,
  childIndex,
  ownerKeys,
  ownersUid,
  selects,
} from '../workload/child-index.ts';
import { claimChildren } from '../workload/claim.ts';
import { WORKLOAD_BACKOFF } from '../workload/slow-start.ts';
import { isFinished } from './ending.ts';
import { releasePod, syncJob } from './sync.ts';
import { isHeld, TRACKING } from './tally.ts';
import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { identityOf } from '../workload/parts.ts';

const ofJob = controllerKey({ group: 'batch', kind: 'Job' });
const WORKERS = 5;

export function makeJobController(context: ControllerContext): Controller {
  const { informers, client, platform } = context;
  const ofPods = informers.of<Pod>(pods, { indexes: { ...childIndex, job: ofJob } });
  const ofJobs = informers.of(jobs, { indexes: { namespace: byNamespace } });
  const expectations = new Expectations({ platform });
  followChildren({ informer: ofPods, expectations, keys: ownersUid });
  ofJobs.listen(({ before, after }) => {
    if (after === null) expectations.forget(before?.metadata?.uid ?? '');
  });
  const world = { ...context, pods: ofPods, expectations };
  return makeController({
    ...context,
    name: 'job',
    workers: WORKERS,
    backoff: WORKLOAD_BACKOFF,
    sources: [
      watched({ informer: ofJobs, keys: ownKey }),
      watched({ informer: ofPods, keys: (pod) => ownerKeys(ofJobs, pod, ofJob) }),
    ],
    reconcile: async (key) => {
      const job = await getOrNull(client, jobs, parseKey(key));
      await releaseStrays(world, key, job);
      if (job === null) return done;
      const outcome = await sync(world, job);
      if (outcome.kind !== 'done' || isFinished(job) === null) return outcome;
      return expireJob(client, job, platform.clock.nowMs());
    },
  });
}

interface World extends ControllerContext {
  readonly pods: Informer<Pod>;
  readonly expectations: Expectations;
}

/** Removes the finalizer of pods whose job is deleted, because they are never counted. */
async function releaseStrays(
  { client, pods: cache }: World,
  key: string,
  job: Job | null,
): Promise<void> {
  for (const pod of cache.byIndex('job', key)) {
    const deleted = controllerOf(pod)?.uid !== job?.metadata?.uid;
    if (deleted && isHeld(pod)) await releasePod(client, pod);
  }
}

async function sync(world: World, job: Job): Promise<Outcome> {
  const { client, recorder, expectations, platform } = world;
  const mine = await claimChildren({
    client,
    ownerResource: jobs,
    owner: job,
    resource: pods,
    candidates: candidatesFor(world.pods, job),
    selects: (pod) => selects(job.spec?.selector, pod),
    finalizer: TRACKING,
  });
  const nowMs = (): number => platform.clock.nowMs();
  return syncJob({ client, recorder, expectations, nowMs, job, pods: mine });
}

/** Milliseconds until ttlSecondsAfterFinished has passed; null if the job is kept. */
export function expiresInMs(job: Job, nowMs: number): number | null {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  const finishedMs = Date.parse(isFinished(job)?.lastTransitionTime ?? '');
  if (seconds === undefined || Number.isNaN(finishedMs) || isTerminating(job)) return null;
  return Math.max(0, finishedMs + seconds * 1_000 - nowMs);
}

/** Deletes a finished job after its ttlSecondsAfterFinished; its pods are deleted first. */
async function expireJob(client: KubeClient, job: Job, nowMs: number): Promise<Outcome> {
  const ms = expiresInMs(job, nowMs);
  if (ms === null) return done;
  if (ms > 0) return requeueAfter(ms, 'ttlSecondsAfterFinished');
  const { namespace, name, uid } = identityOf(job);
  const how = { propagationPolicy: 'Foreground', preconditions: { uid } } as const;
  await orNull(client.delete(jobs, { namespace, name }, how), 'NotFound', 'Conflict');
  return done;
}
