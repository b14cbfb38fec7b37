/** Executes one decided step, and nothing else. The next reconcile decides the next step anew. */
import { addFinalizer } from '../../../controller/finalizers.ts';
import { type Acts, actOn } from '../../../controller/acts.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { createOrGet } from '../../../kube/get-or-null.ts';
import { countText } from '../../../model/count-text.ts';
import { begunMark } from '../begun-before.ts';
import { applicationSnapshots, type ExecutionHook, executionHooks } from '../kinds.ts';
import { SNAPSHOT_FINALIZER } from '../names.ts';
import { DEFINITION_OUTDATED, isProofDropped, proofOfCut } from './cut-token.ts';
import { type Acting, fail, isRefusal, nowText, recordEvent, writeStatus } from './acting.ts';
import { askHooks, makeSnapshots, recordCut, releaseNext, requestCut } from './cut-steps.ts';
import {
  deleteHook,
  deleteSnapshots,
  finishFailure,
  judgeSnapshot,
  keepEvidence,
  finishHook,
  removeOurFinalizer,
} from './end-steps.ts';
import { whyTooLarge } from './fit-evidence.ts';
import { identify } from './identify.ts';
import { hookFor, isOwnedBy } from './made-objects.ts';
import { markContents, markVerdicts } from './mark-steps.ts';
import { planSnapshot } from './plan.ts';
import { readKinds, waitForKinds, whenKindsServed } from './read-kinds.ts';
import { readSources } from './read-sources.ts';
import type { Step } from './step.ts';
import { beginAdmitting, closeWindow, failAll, judgeWindow, sealWindow } from './window-steps.ts';

const ACTS: Acts<Acting, Step> = {
  wait: () => done,
  waitFor: (_, { ms, reason }) => requeueAfter(ms, reason),
  waitForKinds: (acting, { missing }) => waitForKinds(acting, missing),
  addFinalizer: addOurFinalizer,
  plan,
  createHook: (acting, { index }) => createHook(acting, index),
  requestCut,
  makeSnapshots,
  askHooks,
  recordCut: (acting, { volumes }) => recordCut(acting, volumes),
  releaseHook: (acting, { hook }) => releaseNext(acting, hook),
  deleteHook: async (acting, { hook }) => {
    await deleteHook(acting, hook);
    return again;
  },
  keepEvidence: (acting, { names }) => keepEvidence(acting, names),
  finishHook,
  recordVolumes: async (acting, { volumes }) => {
    await writeStatus(acting, { volumes: [...volumes] });
    return again;
  },
  judge: judgeSnapshot,
  beginAdmitting,
  sealWindow,
  closeWindow: (acting, { outcomes }) => closeWindow(acting, outcomes),
  judgeWindow,
  failAdmitted: (acting, failure) => failAll(acting, failure),
  markVerdicts: async (acting, { marks, otherwise }) =>
    afterMarks(acting, await markVerdicts(acting, marks), otherwise),
  fail,
  mark: async (acting, { marks, otherwise }) =>
    afterMarks(acting, await markContents(acting, marks), otherwise),
  deleteSnapshots,
  finishFailure,
  removeFinalizer: removeOurFinalizer,
};

export async function carryOut(acting: Acting, step: Step): Promise<Outcome> {
  return actOn(ACTS, acting, step);
}

/**
 * Executes `otherwise`, unless the next reconcile follows at once and decides it. It may be the only reconcile for now:
 * a mark that the server refuses, or that a webhook removes, changes no object.
 */
async function afterMarks(
  acting: Acting,
  marked: Outcome,
  otherwise: Step | undefined,
): Promise<Outcome> {
  const followsAtOnce = marked.kind === 'requeueAfter' && marked.ms === 0;
  if (followsAtOnce || otherwise === undefined) return marked;
  const outcome = await carryOut(acting, otherwise);
  return outcome.kind === 'done' ? marked : outcome;
}

async function addOurFinalizer({ client, caches, facts }: Acting): Promise<Outcome> {
  const resource = applicationSnapshots;
  const object = facts.snapshot;
  const finalizer = SNAPSHOT_FINALIZER;
  const annotations = begunMark(object);
  const written = await addFinalizer({ client, resource, object, finalizer, annotations });
  caches.writtenApplications.remember(written);
  return again;
}

async function plan(acting: Acting): Promise<Outcome> {
  const { client, caches, facts } = acting;
  const [kinds, sources] = await Promise.all([
    readKinds(client, caches.kinds, facts.snapshot),
    readSources(client, facts.snapshot),
  ]);
  if ('missing' in kinds) return waitForKinds(acting, kinds.missing);
  const planned = planSnapshot({ ...sources, ...kinds });
  if ('reason' in planned) return fail(acting, planned);
  const tooLarge = whyTooLarge(facts.snapshot, planned);
  if (tooLarge !== null) return fail(acting, { reason: 'TooLarge', message: tooLarge });
  const phase = planned.executionHookNames.length === 0 ? 'Pending' : 'Freezing';
  const conditions = whenKindsServed(acting);
  // The hash that later proves the cut token is written before the freeze. If the server drops the field, its
  // definition is outdated, and nothing is frozen yet.
  const started = { ...proofOfCut(acting), phase, startedAt: nowText(acting) } as const;
  const snapshot = await writeStatus(acting, { ...planned, ...conditions, ...started });
  if (isProofDropped(acting, snapshot)) {
    return fail({ ...acting, facts: { ...facts, snapshot } }, DEFINITION_OUTDATED);
  }
  const { volumes, executionHookNames } = planned;
  const message = `Planned the snapshots of ${countText(volumes.length, 'volume')}, with ${countText(executionHookNames.length, 'hook')}.`;
  recordEvent(acting, 'Normal', { reason: 'Planned', message });
  return again;
}

async function createHook(acting: Acting, index: number): Promise<Outcome> {
  const { client, facts } = acting;
  const hook = hookFor(facts.snapshot, index);
  const { name } = identify(hook);
  let made: ExecutionHook;
  try {
    made = await createOrGet(client, executionHooks, hook);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const message = `the server refuses hook ${name}: ${error.message}`;
    return fail(acting, { reason: 'HookRefused', message });
  }
  if (!isOwnedBy(made, facts.snapshot)) {
    const message = `ExecutionHook ${name} exists already, and does not belong to this snapshot`;
    return fail(acting, { reason: 'NameTaken', message });
  }
  recordEvent(acting, 'Normal', {
    reason: 'Freezing',
    message: `Created hook ${name} to freeze the application.`,
  });
  return done;
}
