/**
 * Creates the pod of an attempt (ROLL-S2). It first asks the server whether the attempt is still open and no other hook
 * pod of the Deployment is alive. With an outdated cache alone, a hook could run twice.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { CHANGED_SPEC, hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import { isReason } from '../../../kube/api-error.ts';
import { pods } from '../../../kube/resources.ts';
import { makeToken } from '../../../model/make-token.ts';
import { buildHookPod, isRefusal } from '../hookpod/build-hook-pod.ts';
import { hookPodSelector, identityOf, isSameIdentity } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';
import { permits } from '../hookpod/permit-object.ts';
import { type HookRun, hookRuns } from '../kinds.ts';
import { ATTEMPT_TOKEN } from '../names.ts';
import { attemptIn, isPodOfAttempt, type KnownAttempt, podIdentity } from './hook-run.ts';
import { type Grant, grant, isRefused, ownerOf, readPermit } from './permit.ts';
import { recordOutcome, recordPod } from './record-attempt.ts';
import type { AttemptEnd, StageStep } from './stage.ts';
import { withGrant } from './run-status.ts';
import { type StageActing, writeRun } from './stage-acting.ts';

type Creation = Extract<StageStep, { kind: 'createPod' }>;

/** Milliseconds until the next look, in case the watch misses the end of another hook. */
const LOOK_AGAIN_MS = 1_000;

export async function createPod(acting: StageActing, step: Creation): Promise<Outcome> {
  const { run, request, attempt } = step;
  const owner = ownerOf(run);
  const [held, permit] = await Promise.all([
    heldBack(acting, step),
    readPermit(acting.client, owner),
  ]);
  if (held !== null) return held;
  if (!hasFirstSpec(run)) {
    return fail(acting, step, { reason: 'HookRunChanged', message: CHANGED_SPEC });
  }
  const wanted = buildHookPod({ ...request, attempt });
  if (isRefusal(wanted)) return fail(acting, step, wanted);
  const identity = podIdentity(run, attempt);
  const granting = { owner, permit, attempt: identity };
  const granted = await recordGrant(acting, step, granting);
  const refused = await withoutPermit(acting, granting);
  const made = refused ?? (await create(acting, withToken(wanted, granted, attempt), attempt));
  if ('reason' in made) return fail(acting, { ...step, run: granted }, made);
  if (!isPodOfAttempt(granted, made.known ?? attemptIn(granted, attempt), made.pod)) {
    const message = `there is a pod ${wanted.metadata?.name ?? ''} already, and it does not belong to this attempt`;
    return fail(acting, { ...step, run: granted }, { reason: 'PodNameTaken', message });
  }
  return recordPod(acting, { run: granted, attempt, pod: made.pod });
}

/** The wait before the pod may be created; null: it may be created now. */
async function heldBack(
  { client }: StageActing,
  { run, attempt }: Creation,
): Promise<Outcome | null> {
  const { namespace = '', name = '', resourceVersion } = run.metadata ?? {};
  const labelSelector = hookPodSelector(run.spec.deploymentUID);
  const [current, { items }] = await Promise.all([
    // Rejects with NotFound for a deleted HookRun: the caller then forgets it.
    client.get(hookRuns, { namespace, name }),
    client.list(pods, { namespace, labelSelector }),
  ]);
  if (current.metadata?.resourceVersion !== resourceVersion) {
    return requeueAfter(LOOK_AGAIN_MS, 'the HookRun has changed');
  }
  const own = podIdentity(run, attempt);
  const other = items.find((pod) => !isFinished(pod) && !isSameIdentity(identityOf(pod), own));
  if (other === undefined) return null;
  const reason = `hook pod ${other.metadata?.name ?? ''} still exists`;
  return requeueAfter(LOOK_AGAIN_MS, reason);
}

function withToken(pod: Pod, run: HookRun, attempt: number): Pod {
  const { token } = attemptIn(run, attempt);
  if (token === undefined) return pod;
  const annotations = { ...pod.metadata?.annotations, [ATTEMPT_TOKEN]: token };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

type Refused = Required<Pick<AttemptEnd, 'reason' | 'message'>>;

interface Made {
  readonly pod: Pod;
  /**
   * The attempt with the UID of the created pod, which identifies the pod even if a webhook has removed its labels or
   * token. null: the pod existed before.
   */
  readonly known: KnownAttempt | null;
}

/**
 * Creates the pod, or returns the existing pod of that name. Rejects if it is not known whether the pod was created.
 */
async function create(
  { client }: StageActing,
  wanted: Pod,
  number: number,
): Promise<Made | Refused> {
  try {
    const pod = await client.create(pods, wanted);
    return { pod, known: { number, podUID: pod.metadata?.uid ?? '' } };
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) {
      const { namespace = '', name = '' } = wanted.metadata ?? {};
      return { pod: await client.get(pods, { namespace, name }), known: null };
    }
    if (!isRefused(error)) throw error;
    return { reason: 'PodRefused', message: `the server refuses its pod: ${error.message}` };
  }
}

/**
 * Counts the grant in the HookRun before the permit is granted. If another controller has revoked the permit and
 * records the end late, its write is then a conflict (ROLL-P4).
 */
async function recordGrant(
  acting: StageActing,
  { run, attempt }: Creation,
  { permit, attempt: identity }: Grant,
): Promise<HookRun> {
  const { status } = run;
  if (status === undefined || (permit !== null && permits(permit, identity))) return run;
  return writeRun(acting, run, withGrant(status, attempt, makeToken(acting.context.random)));
}

/** Grants the permit. Returns the reason why the server refuses it; null: the attempt has a permit. */
async function withoutPermit({ client }: StageActing, granting: Grant): Promise<Refused | null> {
  try {
    await grant(client, granting);
    return null;
  } catch (error) {
    if (isReason(error, 'NotFound') || !isRefused(error)) throw error;
    return { reason: 'PermitRefused', message: `the server refuses its permit: ${error.message}` };
  }
}

function fail(
  acting: StageActing,
  { run, attempt }: Creation,
  { reason, message }: Refused,
): Promise<Outcome> {
  const end: AttemptEnd = { outcome: 'Failed', reason, message };
  return recordOutcome(acting, { run, attempt, pod: null, end, abort: null });
}
