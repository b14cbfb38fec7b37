/** The steps of a restore that plan and observe its claims. */
import { findCondition } from '../../../controller/conditions.ts';
import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import { again, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { countText } from '../../../model/count-text.ts';
import type { Failure } from '../app/failure.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import {
  type Acting,
  fail,
  nowText,
  recordEvent,
  startOf,
  writeStatus,
  writeWaiting,
} from './acting.ts';
import { isRestored, nameTaken } from './create-claim.ts';
import { WAIT_FOR_SNAPSHOT } from './conditions-of.ts';
import type { ClaimFacts } from './facts.ts';
import type { RestoredClaim } from './kinds.ts';
import { planRestore } from './plan.ts';
import { readRestoreSources } from './read-sources.ts';
import { judgeRestoreSpec } from './check-spec.ts';

/** Milliseconds between two reads of a source that is not complete. */
const LOOK_MS = 2_000;
/** Maximum milliseconds for which a restore waits for its source. */
const SOURCE_PATIENCE_MS = 600_000;

export async function plan(acting: Acting): Promise<Outcome> {
  const { client, facts } = acting;
  const { restore } = facts;
  const [wrong] = judgeRestoreSpec(restore.spec, resolveRecipe).errors;
  if (wrong !== undefined) {
    return fail(acting, { reason: 'Invalid', message: `${fieldProblemMessage(wrong)}.` });
  }
  const planned = planRestore(restore, await readRestoreSources(client, restore));
  if ('waitsFor' in planned) return waitForSource(acting, planned.waitsFor);
  const { sourceVerdict } = planned;
  const known = sourceVerdict === undefined ? {} : { sourceVerdict };
  if ('reason' in planned) return fail(acting, planned, known);
  const taken = await takenClaim(acting, planned.claims);
  if (taken !== null) return fail(acting, taken, known);
  const { claims } = planned;
  await writeStatus(acting, { ...known, claims, phase: 'PreRestore', startedAt: nowText(acting) });
  const message = `Planned ${countText(claims.length, 'claim')} from a snapshot that is ${planned.sourceVerdict.value}.`;
  recordEvent(acting, 'Normal', { reason: 'Planned', message });
  return again;
}

async function waitForSource(acting: Acting, what: string): Promise<Outcome> {
  const { restore, nowMs } = acting.facts;
  // The time in the condition was written by a controller, and the creationTimestamp by the server's clock.
  const waits = findCondition(restore.status?.conditions ?? [], 'Reconciling');
  const sinceMs = waits === undefined ? 0 : nowMs - Date.parse(waits.lastTransitionTime);
  if (sinceMs >= SOURCE_PATIENCE_MS) {
    const message = `${what} after ${SOURCE_PATIENCE_MS / 60_000} minutes: restore it again when the snapshot is complete.`;
    return fail(acting, { reason: 'SnapshotNotReady', message });
  }
  await writeWaiting(acting, { reason: WAIT_FOR_SNAPSHOT, message: what });
  return requeueAfter(LOOK_MS, what);
}

/**
 * SNAP-V4: a claim that does not belong to this restore is never overwritten or taken over. A claim that is being
 * deleted may stay until its workload is stopped, so it does not count here.
 */
async function takenClaim(
  { client, facts }: Acting,
  claims: readonly RestoredClaim[],
): Promise<Failure | null> {
  const { namespace = '' } = facts.restore.metadata ?? {};
  for (const planned of claims) {
    const { claimName: name } = planned;
    const claim = await getOrNull(client, persistentVolumeClaims, { namespace, name });
    if (claim === null || isRestored(facts.restore, planned, claim)) continue;
    if (isTerminating(claim)) continue;
    return nameTaken(planned);
  }
  return null;
}

export async function requestClaims(acting: Acting): Promise<Outcome> {
  await writeStatus(acting, { phase: 'Restoring', claimsRequestedAt: nowText(acting) });
  return again;
}

export async function recordClaims(acting: Acting, found: readonly ClaimFacts[]): Promise<Outcome> {
  const { claims = [] } = acting.facts.restore.status ?? {};
  await writeStatus(acting, {
    claims: claims.map((claim, index) => {
      const { claim: seen = null, waitsForConsumer = false } = found[index] ?? {};
      const { bound: _bound, waitsForConsumer: _waits, ...rest } = claim;
      return { ...rest, bound: seen?.status?.phase === 'Bound', waitsForConsumer };
    }),
  });
  return again;
}

export async function claimsReady(acting: Acting): Promise<Outcome> {
  const { postRestore = [], verify = [] } = acting.facts.restore.spec;
  const next = verify.length > 0 ? 'Verifying' : 'Restoring';
  await writeStatus(acting, {
    claimsReadyAt: nowText(acting),
    phase: postRestore.length > 0 ? 'PostRestore' : next,
    startedAt: startOf(acting),
  });
  return again;
}
