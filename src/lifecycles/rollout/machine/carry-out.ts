/** Carries out one decided step. The step after it is decided anew. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { addFinalizer, removeFinalizer } from '../../../controller/finalizers.ts';
import { timeText } from '../../../controller/kube-time.ts';
import { type Acts, actOn } from '../../../controller/acts.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { ApiError, isReason } from '../../../kube/api-error.ts';
import { deleteIfSame } from '../../../kube/get-or-null.ts';
import type { Json, JsonObject } from '../../../kube/object.ts';
import { pods } from '../../../kube/resources.ts';
import { gateDigest } from '../gate/write-proof.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type DeploymentLifecycleStatus,
  type HookRun,
  hookRuns,
  type RolloutFailure,
} from '../kinds.ts';
import { FAILED_CONDITION, LIFECYCLE_FINALIZER } from '../names.ts';
import { recordedPhase } from '../recorded-events.ts';
import { carryOutStage } from '../runs/carry-out-stage.ts';
import { dropPermit } from '../runs/permit.ts';
import { type Acting, patchDeployment, emit, writeLifecycle } from './acting.ts';
import { asRival, withConditions } from './conditions-of.ts';
import { changePatch, provenPatch, resultOf } from './deployment-patch.ts';
import { withHistory } from './rollout-history.ts';
import type { Emits, MachineStep } from './step.ts';

const ACTS: Acts<Acting, MachineStep> = {
  wait: async (acting) => {
    await writeConditions(acting);
    return done;
  },
  waitFor: async (acting, { ms, reason }) => {
    await writeConditions(acting);
    return requeueAfter(ms, reason);
  },
  addFinalizer: addOurFinalizer,
  removeFinalizer: removeOurFinalizer,
  changeDeployment,
  stampDeployment,
  record,
  reportDeployment,
  reportRival: async (acting, { rival }) => {
    await writeLifecycle(acting, rival, asRival(rival, acting.facts.nowMs));
    return again;
  },
  proveGate: async ({ proofs, client, facts }) => {
    if (facts.deployment === null) return again;
    return (await proofs.prove(client, facts.deployment)) ? again : lookAgain;
  },
  stage: carryOutHook,
  deletePod,
  deleteRun,
};

export async function carryOut(acting: Acting, step: MachineStep): Promise<Outcome> {
  return actOn(ACTS, acting, step);
}

async function changeDeployment(
  acting: Acting,
  { change, emits }: Extract<MachineStep, { kind: 'changeDeployment' }>,
): Promise<Outcome> {
  const { deployment } = acting.facts;
  if (deployment === null) return done;
  return write(acting, changePatch(deployment, change, acting.context.prove), emits);
}

async function stampDeployment(
  acting: Acting,
  { operations, emits }: Extract<MachineStep, { kind: 'stampDeployment' }>,
): Promise<Outcome> {
  const { deployment } = acting.facts;
  if (deployment === null) return done;
  return write(acting, provenPatch(deployment, operations, acting.context.prove), emits);
}

async function write(
  acting: Acting,
  operations: ReturnType<typeof changePatch>,
  emits: Parameters<typeof emit>[1],
): Promise<Outcome> {
  const { deployment } = acting.facts;
  if (deployment === null) return done;
  let written: Deployment;
  try {
    const patch = { type: 'json', body: asJson(operations) } as const;
    written = await patchDeployment(acting, deployment, patch);
  } catch (error) {
    if (isStale(error)) return lookAgain;
    if (error instanceof ApiError) reportRefusal(acting, error);
    throw error;
  }
  if (gateDigest(written) !== gateDigest(resultOf(deployment, operations))) return changed(acting);
  emit(acting, emits);
  return again;
}

/** Milliseconds until the next look after a webhook has undone a write. It would undo an immediate retry too. */
const CHANGED_LOOK_MS = 5_000;

function changed(acting: Acting): Outcome {
  const message =
    "Another admission webhook changes Lifehook's own writes to this Deployment. Hooks still run before a changed template, and Lifehook repeats its other writes. That webhook must not change Lifehook's label and annotations, spec.paused and spec.replicas.";
  emit(acting, { notices: [{ type: 'Warning', reason: 'WriteChanged', message }] });
  return requeueAfter(CHANGED_LOOK_MS, 'another webhook has changed the write');
}

/** Reports that a deletion waits for a write which the server rejects, because only a user can resolve that. */
function reportRefusal(acting: Acting, { code, message }: ApiError): void {
  const { lifecycle } = acting.facts;
  if (lifecycle?.metadata?.deletionTimestamp === undefined || !REFUSED.includes(code)) return;
  const why = `The deleted DeploymentLifecycle waits, since its Deployment cannot be changed: ${message}. The held template stays paused. Remove the cause, or set spec.onDelete of the DeploymentLifecycle to Release.`;
  emit(acting, { notices: [{ type: 'Warning', reason: 'DeletionWaits', message: why }] });
}

/** Statuses for a write that a rule or a webhook forbids, or that is invalid. A retry is rejected again. */
const REFUSED: readonly number[] = [403, 422];

/** Milliseconds until the next look. The changed object will reach the cache, which triggers an earlier reconcile. */
const STALE_LOOK_MS = 250;
const lookAgain = requeueAfter(STALE_LOOK_MS, 'the Deployment has changed meanwhile');

/** How a server begins the message about the denial of a webhook, which chooses the status itself. */
const DENIED = 'admission webhook "';

/**
 * True: the write needs a new read, because the object changed or was deleted. A failed test of a JSON patch is a 422
 * without causes; the 422 of an invalid object names its fields (ROLL-E21). The 422 of a webhook may have no causes.
 */
function isStale(error: unknown): boolean {
  if (isReason(error, 'NotFound', 'Conflict')) return true;
  if (!(error instanceof ApiError) || error.code !== 422) return false;
  const { details, message = '' } = error.status;
  return (details?.causes ?? []).length === 0 && !message.startsWith(DENIED);
}

async function record(
  acting: Acting,
  { status: change, fresh = false, bypass = null, emits }: RecordStep,
): Promise<Outcome> {
  const { lifecycle, nowMs, gate } = acting.facts;
  if (lifecycle === null) return done;
  const status = withHistory({ ...(fresh ? {} : lifecycle.status), ...change });
  await writeLifecycle(
    acting,
    lifecycle,
    withConditions(lifecycle, { status, gate, bypass, nowMs }),
  );
  emit(acting, withPhase(emits, lifecycle, status));
  return again;
}

function withPhase(
  { observed = [], ...emits }: Emits,
  lifecycle: DeploymentLifecycle,
  { rollout }: DeploymentLifecycleStatus,
): Emits {
  if (rollout === undefined) return { ...emits, observed };
  const recorded = recordedPhase(lifecycle, rollout);
  return {
    ...emits,
    observed: observed.map((event) =>
      event.type === 'PhaseEntered' ? { ...event, recorded } : event,
    ),
  };
}

type RecordStep = Omit<Extract<MachineStep, { kind: 'record' }>, 'bypass'> & {
  readonly bypass?: string | null;
};

async function writeConditions(acting: Acting): Promise<void> {
  const { lifecycle, nowMs, gate } = acting.facts;
  if (lifecycle === null || lifecycle.metadata?.deletionTimestamp !== undefined) return;
  const { status = {} } = lifecycle;
  const judged = { status, gate, bypass: null, nowMs };
  await writeLifecycle(acting, lifecycle, withConditions(lifecycle, judged));
}

async function reportDeployment(
  acting: Acting,
  { failure }: Extract<MachineStep, { kind: 'reportDeployment' }>,
): Promise<Outcome> {
  const { deployment, nowMs } = acting.facts;
  if (deployment === null) return done;
  const condition = failedCondition(deployment, failure, nowMs);
  const body = { status: { conditions: [condition] } };
  await patchDeployment(acting, deployment, { type: 'strategic', body, subresource: 'status' });
  return again;
}

function failedCondition(
  { status: { conditions = [] } = {} }: Deployment,
  failure: RolloutFailure | null,
  nowMs: number,
): JsonObject {
  const at = timeText(nowMs);
  const before = conditions.find(({ type }) => type === FAILED_CONDITION);
  const status = failure === null ? 'False' : 'True';
  const since = before?.status === status ? before.lastTransitionTime : undefined;
  const times = { lastUpdateTime: at, lastTransitionTime: since ?? at };
  const { reason, message } = failure ?? NOT_FAILED;
  return { type: FAILED_CONDITION, status, reason, message, ...times };
}

const NOT_FAILED = {
  reason: 'NotFailed',
  message: 'The current rollout has not failed.',
};

async function addOurFinalizer({ client, caches, facts }: Acting): Promise<Outcome> {
  const { lifecycle: object } = facts;
  if (object === null) return done;
  const change = { client, resource: deploymentLifecycles, object, finalizer: LIFECYCLE_FINALIZER };
  caches.writtenLifecycles.remember(await addFinalizer(change));
  return again;
}

async function removeOurFinalizer(
  { client, caches, facts }: Acting,
  { rival }: Extract<MachineStep, { kind: 'removeFinalizer' }>,
): Promise<Outcome> {
  const { lifecycle, deployment } = facts;
  const object = rival ?? lifecycle;
  if (object === null) return done;
  const { namespace = '', uid = '' } = deployment?.metadata ?? {};
  if (deployment !== null && rival === undefined) await dropPermit(client, { namespace, uid });
  const change = { client, resource: deploymentLifecycles, object, finalizer: LIFECYCLE_FINALIZER };
  const left = await removeFinalizer(change);
  if (left !== null) caches.writtenLifecycles.remember(left);
  return done;
}

async function carryOutHook(
  acting: Acting,
  { step }: Extract<MachineStep, { kind: 'stage' }>,
): Promise<Outcome> {
  const { context, client, caches } = acting;
  if (step.kind === 'wait') await writeConditions(acting);
  const remember = (run: HookRun): void => {
    caches.rememberRun(run);
  };
  const rememberPod = (pod: Pod): void => {
    caches.rememberPod(pod);
  };
  try {
    return await carryOutStage({ context, client, remember, rememberPod }, step);
  } catch (error) {
    if ('run' in step && isReason(error, 'NotFound')) caches.forgetRun(step.run);
    throw error;
  }
}

async function deleteRun(
  { client }: Acting,
  { run }: Extract<MachineStep, { kind: 'deleteRun' }>,
): Promise<Outcome> {
  await deleteIfSame(client, hookRuns, run);
  return done;
}

async function deletePod(
  { client }: Acting,
  { pod }: Extract<MachineStep, { kind: 'deletePod' }>,
): Promise<Outcome> {
  await deleteIfSame(client, pods, pod);
  return done;
}

/** Patch operations are JSON. */
function asJson(operations: ReturnType<typeof changePatch>): Json {
  return JSON.parse(JSON.stringify(operations)) as Json;
}
