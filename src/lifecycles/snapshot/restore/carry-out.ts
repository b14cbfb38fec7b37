/** Executes one decided step of a restore, and nothing else. The next reconcile decides the next step anew. */
import { addFinalizer } from '../../../controller/finalizers.ts';
import { type Acts, actOn } from '../../../controller/acts.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { begunMark } from '../begun-before.ts';
import { RESTORE_FINALIZER } from '../names.ts';
import { type Acting, fail } from './acting.ts';
import { createClaim } from './create-claim.ts';
import { claimsReady, plan, recordClaims, requestClaims } from './claim-steps.ts';
import {
  beginCleanup,
  callOff,
  cleanedUp,
  complete,
  deleteClaims,
  releasePods,
  removeOurFinalizer,
  scaleBack,
  waitForClaims,
} from './end-acts.ts';
import {
  beginExec,
  createPod,
  deletePod,
  intend,
  recordEnd,
  recordPod,
  scaleDown,
  verified,
} from './hook-acts.ts';
import { snapshotRestores } from './kinds.ts';
import type { RestoreStep } from './step.ts';

const ACTS: Acts<Acting, RestoreStep> = {
  done: () => done,
  wait: (_, { ms, reason }) => requeueAfter(ms, reason),
  addFinalizer: (acting) => addOurFinalizer(acting, {}),
  markBegun: (acting) => addOurFinalizer(acting, begunMark(acting.facts.restore)),
  plan,
  requestClaims,
  createClaim: (acting, { index }) => createClaim(acting, index),
  recordClaims: (acting, { claims }) => recordClaims(acting, claims),
  claimsReady,
  intend,
  createPod,
  recordPod,
  deletePod,
  beginExec,
  scaleDown,
  recordEnd,
  verified,
  fail: (acting, { failure }) => fail(acting, failure),
  beginCleanup,
  callOff,
  releasePods,
  deleteClaims,
  waitForClaims,
  cleanedUp,
  scaleBack,
  complete,
  removeFinalizer: removeOurFinalizer,
};

export async function carryOut(acting: Acting, step: RestoreStep): Promise<Outcome> {
  return actOn(ACTS, acting, step);
}

async function addOurFinalizer(
  { client, caches, facts }: Acting,
  annotations: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const object = facts.restore;
  const resource = snapshotRestores;
  const finalizer = RESTORE_FINALIZER;
  const written = await addFinalizer({ client, resource, object, finalizer, annotations });
  caches.written.remember(written);
  return again;
}
