/** The steps of a restore after its hooks: clean-up, scale back, and its terminal state. */
import { isTerminating, removeFinalizer } from '../../../controller/finalizers.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { deleteIfSame } from '../../../kube/get-or-null.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import { countText } from '../../../model/count-text.ts';
import { RESTORE_FINALIZER, RESTORE_POD_FINALIZER } from '../names.ts';
import { endOfRestore } from '../recorded-events.ts';
import { type Acting, nowText, recordEvent, writeStatus, writeWaiting } from './acting.ts';
import { SCALE_BACK_REFUSED, WAIT_FOR_CLAIM } from './conditions-of.ts';
import { deletionText } from './create-claim.ts';
import { execId } from './exec-attempt.ts';
import {
  type RestoreHookStatus,
  type ScaledWorkload,
  type SnapshotRestore,
  snapshotRestores,
} from './kinds.ts';
import type { StepOf } from './step.ts';
import { tryScale } from './scale-workload.ts';
import { isStillStopped, whyNotStarted } from './stopped.ts';
import { hasSuccessor } from './successor.ts';
import { readWorkload, type Workload } from './workload.ts';

const CALL_OFF_MS = 1_000;
/** Milliseconds between two reads of claims that are being deleted. */
const LOOK_MS = 1_000;
/** Milliseconds between two attempts to scale a workload that the server refuses to scale. */
const REFUSED_RETRY_MS = 10_000;

export async function beginCleanup(acting: Acting): Promise<Outcome> {
  await writeStatus(acting, { phase: 'CleaningUp' });
  return again;
}

/** Cancels the running command before a deletion. The next reconcile checks whether it has ended. */
export function callOff({ attempts, facts }: Acting): Outcome {
  const { open, restore } = facts;
  if (open !== null) attempts.callOff(execId(restore, open.hook, open.attempt));
  return requeueAfter(CALL_OFF_MS, 'the command of a hook is being cancelled');
}

export async function releasePods(
  { client }: Acting,
  { pods: all, deletes }: StepOf<'releasePods'>,
): Promise<Outcome> {
  for (const object of all) {
    if (deletes && !isTerminating(object)) await deleteIfSame(client, pods, object);
    else
      await removeFinalizer({ client, resource: pods, object, finalizer: RESTORE_POD_FINALIZER });
  }
  return again;
}

export async function deleteClaims(
  { client }: Acting,
  { claims }: StepOf<'deleteClaims'>,
): Promise<Outcome> {
  for (const claim of claims) await deleteIfSame(client, persistentVolumeClaims, claim);
  return again;
}

export async function waitForClaims(
  acting: Acting,
  { claims }: StepOf<'waitForClaims'>,
): Promise<Outcome> {
  const [first = {}] = claims;
  const message = await deletionText(acting, first);
  await writeWaiting(acting, { reason: WAIT_FOR_CLAIM, message });
  return requeueAfter(LOOK_MS, message);
}

export async function cleanedUp(acting: Acting): Promise<Outcome> {
  await writeStatus(acting, { cleanedUpAt: nowText(acting) });
  const message = 'Deleted the pods and claims of the rehearsal.';
  recordEvent(acting, 'Normal', { reason: 'CleanedUp', message });
  return again;
}

/**
 * Scales the workload back only if it is the same and still at 0, since a user may have scaled it meanwhile, and if no
 * other restore that stopped it decides about it. Retries as long as the server refuses, so that it is not left at 0.
 */
export async function scaleBack(
  acting: Acting,
  { workload }: StepOf<'scaleBack'>,
): Promise<Outcome> {
  const { client, facts } = acting;
  const { namespace = '' } = facts.restore.metadata ?? {};
  const found = await readWorkload(client, namespace, workload);
  const isStopped = found !== null && isStillStopped(found, workload);
  if (isStopped && !(await hasSuccessor(client, facts.restore, workload))) {
    const refused = await startAgain(acting, workload, found);
    if (refused !== null) return waitForServer(acting, refused);
  }
  const { scaled = [] } = facts.restore.status ?? {};
  const scaledBackAt = nowText(acting);
  await writeStatus(acting, {
    scaled: scaled.map((each) => (each === workload ? { ...each, scaledBackAt } : each)),
  });
  return again;
}

/**
 * Scales the workload back. Returns the message of a server that refuses it; null: the workload was scaled, or must
 * stay at 0.
 */
async function startAgain(
  acting: Acting,
  workload: ScaledWorkload,
  found: Workload,
): Promise<string | null> {
  const { client, facts } = acting;
  const why = await whyNotStarted(client, facts.restore, { workload, found });
  if (why !== null) {
    recordEvent(acting, 'Warning', { reason: 'WorkloadStopped', message: why });
    return null;
  }
  const { kind, name, uid, replicas } = workload;
  const { namespace = '' } = facts.restore.metadata ?? {};
  const { resourceVersion } = found.metadata ?? {};
  const back = `${kind} ${name} back to ${countText(replicas, 'replica')}`;
  const scale = { kind, name, uid, replicas, resourceVersion };
  const refused = await tryScale(client, namespace, scale);
  if (refused !== null)
    return `The server refuses to scale ${back}: ${refused.message}. It is retried every ${REFUSED_RETRY_MS / 1_000} s.`;
  recordEvent(acting, 'Normal', { reason: 'ScaledBack', message: `Scaled ${back}.` });
  return null;
}

async function waitForServer(acting: Acting, message: string): Promise<Outcome> {
  const refused = { reason: SCALE_BACK_REFUSED, message };
  recordEvent(acting, 'Warning', refused);
  await writeWaiting(acting, refused);
  return requeueAfter(REFUSED_RETRY_MS, message);
}

export async function complete(acting: Acting): Promise<Outcome> {
  const { failure, hooks = [], claims = [] } = acting.facts.restore.status ?? {};
  const written = await writeStatus(acting, {
    ...(hooks.length === 0 ? {} : { hooks: hooks.map(withOutcome) }),
    phase: failure === undefined ? 'Completed' : 'Failed',
    completedAt: nowText(acting),
  });
  for (const { event } of endOfRestore(written)) acting.context.observe(event);
  if (failure === undefined) {
    const message = `Restored ${countText(claims.length, 'claim')}.`;
    recordEvent(acting, 'Normal', { reason: 'Restored', message });
  }
  return again;
}

/** Sets the outcome of a hook whose last attempt did not succeed. */
function withOutcome(hook: RestoreHookStatus): RestoreHookStatus {
  if (hook.outcome !== undefined) return hook;
  const last = hook.attempts?.at(-1)?.outcome;
  const failed = last === 'Failed' || last === 'TimedOut';
  return { ...hook, outcome: failed ? 'Failed' : 'Unknown' };
}

export async function removeOurFinalizer({ client, caches, facts }: Acting): Promise<Outcome> {
  const object: SnapshotRestore = facts.restore;
  const resource = snapshotRestores;
  const left = await removeFinalizer({ client, resource, object, finalizer: RESTORE_FINALIZER });
  if (left !== null) caches.written.remember(left);
  return done;
}
