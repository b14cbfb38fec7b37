/** Carries out one decided step of a stage. The step after it is decided anew. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { removeFinalizer } from '../../../controller/finalizers.ts';
import { type Acts, actOn } from '../../../controller/acts.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { orNull } from '../../../kube/api-error.ts';
import { createOrGet, getOrNull, deleteIfSame } from '../../../kube/get-or-null.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import { pods } from '../../../kube/resources.ts';
import { LifehookError } from '../../../model/problem.ts';
import { hookRuns } from '../kinds.ts';
import { HOOK_POD_FINALIZER } from '../names.ts';
import { createPod } from './create-pod.ts';
import { revoke } from './permit.ts';
import { recordPod, recordOutcome } from './record-attempt.ts';
import { makeHookRun, attemptIn, isPodOfAttempt, podNameOf } from './hook-run.ts';
import { begunStatus, withIntent, withSettlement, withWait } from './run-status.ts';
import type { StageStep } from './stage.ts';
import { nowMs, type StageActing, writeRun } from './stage-acting.ts';
import { reportBegun, reportSettled, reportWaiting } from './report-stage.ts';

/** Milliseconds until the next look, in case the watch reports a new pod late. */
const LOOK_AGAIN_MS = 1_000;

type Looking = Extract<StageStep, { kind: 'lookForPod' }>;

/**
 * Asks the server for a pod that the cache does not have. If the server has none, the attempt has ended, because a pod
 * that is created later finds no permit. The server is asked again after the permit is revoked, because a pod may be
 * created just before that.
 */
export async function lookForPod(acting: StageActing, step: Looking): Promise<Outcome> {
  const { run, attempt, ifMissing: end, abort } = step;
  let pod = await look(acting, step);
  if (pod === null) {
    await revoke(acting.client, run, attempt);
    pod = await look(acting, step);
  }
  if (pod === null) return recordOutcome(acting, { run, attempt, pod: null, end, abort });
  const { podUID } = attemptIn(run, attempt);
  if (podUID === undefined) return recordPod(acting, { run, attempt, pod });
  return requeueAfter(LOOK_AGAIN_MS, 'the cached list of pods is not up to date');
}

/** Reads the pod of the attempt; null: it does not exist, or another client created it. */
async function look({ client }: StageActing, step: Looking): Promise<Pod | null> {
  const { run, attempt } = step;
  const { namespace = '' } = run.metadata ?? {};
  const pod = await getOrNull(client, pods, { namespace, name: podNameOf(run, attempt) });
  return pod !== null && isPodOfAttempt(run, attemptIn(run, attempt), pod) ? pod : null;
}

type StepOf<K extends StageStep['kind']> = Extract<StageStep, { kind: K }>;
const ACTS: Acts<StageActing, StageStep> = {
  openRun,
  startClock: async (acting, { run }) => {
    await writeRun(acting, run, begunStatus(nowMs(acting)));
    return again;
  },
  recordIntent,
  createPod,
  recordPod,
  recordWait,
  lookForPod,
  deletePod,
  recordOutcome,
  removeFinalizer: release,
  changeOwner,
  settleRun: async (acting, { run, settlement }) => {
    const settled = await writeRun(acting, run, withSettlement(run, settlement, nowMs(acting)));
    reportSettled(acting, settled);
    return again;
  },
  wait: (acting, { untilMs, reason }) =>
    untilMs === null ? done : requeueAfter(Math.max(0, untilMs - nowMs(acting)), reason),
  settled: () => done,
};

/**
 * Carries out a step; `settled` does nothing. Rejects with the errors of the client. After a conflict, decide again
 * from new facts.
 */
export async function carryOutStage(acting: StageActing, step: StageStep): Promise<Outcome> {
  return actOn(ACTS, acting, step);
}

async function openRun(
  { client, remember }: StageActing,
  { request }: StepOf<'openRun'>,
): Promise<Outcome> {
  const wanted = makeHookRun(request);
  const run = await createOrGet(client, hookRuns, wanted);
  const { deploymentUID, rollout, stage } = run.spec;
  const { spec } = wanted;
  const same = deploymentUID === spec.deploymentUID && rollout === spec.rollout;
  if (!same || stage !== spec.stage) {
    throw new LifehookError({
      code: 'LHR301',
      message: `HookRun ${wanted.metadata?.name ?? ''} cannot be created for the ${spec.stage} stage of rollout ${spec.rollout} of Deployment ${spec.deploymentName}: another HookRun has this name.`,
      next: 'Delete that HookRun: only the controller may use this name.',
    });
  }
  remember(run);
  return again;
}

async function recordIntent(
  acting: StageActing,
  { run, attempt, reason }: StepOf<'recordIntent'>,
): Promise<Outcome> {
  const written = await writeRun(acting, run, withIntent(run, attempt, nowMs(acting)));
  reportBegun(acting, written, { attempt, why: reason });
  return again;
}

async function recordWait(
  acting: StageActing,
  { run, attempt, waitsFor }: StepOf<'recordWait'>,
): Promise<Outcome> {
  const { status } = run;
  if (status === undefined) return again;
  const written = await writeRun(acting, run, withWait(status, attempt, waitsFor));
  if (waitsFor !== null) reportWaiting(acting, written, { attempt, waitsFor });
  return again;
}

async function deletePod({ client }: StageActing, { pod }: StepOf<'deletePod'>): Promise<Outcome> {
  await deleteIfSame(client, pods, pod);
  return done;
}

async function release(
  { client, rememberPod }: StageActing,
  { pod: object }: StepOf<'removeFinalizer'>,
): Promise<Outcome> {
  const change = { client, resource: pods, object, finalizer: HOOK_POD_FINALIZER };
  const left = await removeFinalizer(change);
  if (left !== null) rememberPod(left);
  return again;
}

async function changeOwner(
  { client, rememberPod }: StageActing,
  { pod, patch: body }: StepOf<'changeOwner'>,
): Promise<Outcome> {
  const changed = await orNull(
    client.patch(pods, keyOfPod(pod), { type: 'merge', body }),
    'NotFound',
  );
  if (changed !== null) rememberPod(changed);
  return again;
}

function keyOfPod({ metadata }: Pod): ObjectKey {
  const { namespace = '', name = '' } = metadata ?? {};
  return { namespace, name };
}
