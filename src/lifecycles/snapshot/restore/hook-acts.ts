/** The steps of a restore that run its hooks: each attempt is recorded before it starts (SNAP-V10). */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { microTimeText } from '../../../controller/kube-time.ts';
import { again, done, type Outcome } from '../../../controller/reconcile.ts';
import { deleteIfSame } from '../../../kube/get-or-null.ts';
import { isQuotaRefusal, isReason } from '../../../kube/api-error.ts';
import { pods } from '../../../kube/resources.ts';
import { makeToken } from '../../../model/make-token.ts';
import { makeMasker } from '../../../model/secrets.ts';
import type { ActionAttempt } from '../kinds.ts';
import { keptOutput, shortReason } from '../hook/kept-output.ts';
import { OUTPUT_BYTES_MAX } from '../schema/limits.ts';
import { type Acting, fail, nowText, recordEvent, writeStatus } from './acting.ts';
import { isRefusal } from './create-claim.ts';
import { recordedScale } from './decide-attempt.ts';
import { execId, runExecAttempt } from './exec-attempt.ts';
import { HOOK_CONTAINER, hookPod, isPodOf } from './hook-pod.ts';
import type { RestoreHook, RestoreHookStatus, RestorePhase, RestoreStage } from './kinds.ts';
import { hookPodName } from './object-names.ts';
import { scaledBefore, tryScale } from './scale-workload.ts';
import type { AttemptEnd, StepOf } from './step.ts';

const PHASES: Readonly<Record<RestoreStage, RestorePhase>> = {
  preRestore: 'PreRestore',
  postRestore: 'PostRestore',
  verify: 'Verifying',
};

export async function intend(
  acting: Acting,
  { stage, hook, attempt }: StepOf<'intend'>,
): Promise<Outcome> {
  const { facts, attempts } = acting;
  const { restore } = facts;
  const id = execId(restore, hook, attempt);
  if (hook.exec !== undefined) attempts.intend(id);
  const { hooks = [] } = restore.status ?? {};
  const before = hooks.find(({ name }) => name === hook.name);
  const next: RestoreHookStatus = {
    name: hook.name,
    stage,
    attempts: [...(before?.attempts ?? []), { startedAt: nowText(acting) }],
    ...(hook.pod === undefined
      ? {}
      : {
          podName: hookPodName(restore, hook.name, attempt),
          podToken: makeToken(acting.context.random),
        }),
  };
  const scaled = await scaledBefore(acting, hook);
  await writeStatus(acting, {
    phase: PHASES[stage],
    hooks:
      before === undefined
        ? [...hooks, next]
        : hooks.map((each) => (each === before ? next : each)),
    ...(scaled === null ? {} : { scaled }),
  });
  const message = `Started attempt ${attempt} of hook ${hook.name} (${stage}).`;
  recordEvent(acting, 'Normal', { reason: 'HookStarted', message });
  return again;
}

export async function createPod(
  acting: Acting,
  { hook, attempt }: StepOf<'createPod'>,
): Promise<Outcome> {
  const { client, facts } = acting;
  const wanted = hookPod(facts.restore, hook, attempt);
  let pod: Pod;
  try {
    pod = await client.create(pods, wanted);
  } catch (error) {
    // The next reconcile reads the existing pod, and decides whether it belongs to this restore.
    if (isReason(error, 'AlreadyExists')) return again;
    if (!isRefusal(error)) throw error;
    const reason = `The server refuses its pod: ${error.message}`;
    const isDenied = error.code === 403 && !isQuotaRefusal(error);
    const notStarted = isDenied ? 'Denied' : 'Unreached';
    return recordEnd(acting, { hook, end: { outcome: 'Failed', reason, output: '', notStarted } });
  }
  // The answer proves that this process created the pod, whatever a webhook has removed from it.
  return recordUid(acting, { hook, pod });
}

export async function recordPod(
  acting: Acting,
  { hook, pod }: Pick<StepOf<'recordPod'>, 'hook' | 'pod'>,
): Promise<Outcome> {
  if (!isPodOf(acting.facts.restore, hook, pod)) {
    const reason = `There is a pod ${pod.metadata?.name ?? ''} that does not belong to this restore: delete it.`;
    const end = { outcome: 'Failed', reason, output: '', notStarted: 'Unreached' } as const;
    return recordEnd(acting, { hook, end });
  }
  return recordUid(acting, { hook, pod });
}

async function recordUid(
  acting: Acting,
  { hook, pod }: Pick<StepOf<'recordPod'>, 'hook' | 'pod'>,
): Promise<Outcome> {
  const podUID = pod.metadata?.uid ?? '';
  await writeStatus(acting, { hooks: changed(acting, hook, (status) => ({ ...status, podUID })) });
  return again;
}

export async function deletePod(
  { client }: Acting,
  { pod }: StepOf<'deletePod'>,
): Promise<Outcome> {
  await deleteIfSame(client, pods, pod);
  return again;
}

export function beginExec(acting: Acting, { hook, attempt }: StepOf<'beginExec'>): Outcome {
  const { context, facts, attempts, requeue } = acting;
  const { restore } = facts;
  attempts.begin({
    id: execId(restore, hook, attempt),
    // Any lane would do: restores have their own pool of attempts.
    lane: 'freeze',
    make: (signal) => runExecAttempt({ context, restore, hook, attempt }, signal),
    onEnd: requeue,
  });
  return done;
}

export async function scaleDown(acting: Acting, { hook }: StepOf<'scaleDown'>): Promise<Outcome> {
  const { client, facts } = acting;
  const { scale } = hook;
  const recorded = scale === undefined ? undefined : recordedScale(facts.restore, scale);
  if (recorded === undefined) return again;
  const { namespace = '' } = facts.restore.metadata ?? {};
  const { kind, name, uid } = recorded;
  const refused = await tryScale(client, namespace, { kind, name, uid, replicas: 0 });
  if (refused === null) return again;
  const reason = `The server refuses to scale ${kind} ${name} to 0 replicas: ${refused.message}.`;
  return recordEnd(acting, { hook, end: { outcome: 'Failed', reason, output: '' } });
}

export async function recordEnd(
  acting: Acting,
  { hook, end }: Pick<StepOf<'recordEnd'>, 'hook' | 'end'>,
): Promise<Outcome> {
  const { facts, attempts, context } = acting;
  const { restore } = facts;
  const masked = await maskedEnd(acting, hook, end);
  const hooks = changed(acting, hook, (status) => {
    const all = status.attempts ?? [];
    const last = all.at(-1) ?? { startedAt: nowText(acting) };
    const { podUID: _uid, ...rest } = status;
    return {
      ...(hook.pod === undefined ? rest : status),
      ...(end.outcome === 'Succeeded' ? { outcome: 'Succeeded' as const } : {}),
      attempts: [
        ...all.slice(0, -1),
        { ...last, ...attemptOf(masked, context.platform.clock.nowMs()) },
      ],
    };
  });
  await writeStatus(acting, { hooks });
  const attempt = hooks.find(({ name }) => name === hook.name)?.attempts?.length ?? 0;
  attempts.settle(execId(restore, hook, attempt));
  const message = `Attempt ${attempt} of hook ${hook.name}: ${masked.reason}`;
  const isGood = end.outcome === 'Succeeded';
  recordEvent(acting, isGood ? 'Normal' : 'Warning', {
    reason: isGood ? 'HookSucceeded' : `Hook${end.outcome}`,
    message,
  });
  return again;
}

/** Masks the Secrets of the hook's own pod. Those of a pod in which a command ran are masked already. */
async function maskedEnd(
  { context, facts }: Acting,
  { pod }: RestoreHook,
  end: AttemptEnd,
): Promise<AttemptEnd> {
  const { namespace = '' } = facts.restore.metadata ?? {};
  const name = facts.open?.pod?.metadata?.name;
  if (pod === undefined || name === undefined) return end;
  const known = await context.freezing.secretsOf?.({
    namespace,
    pod: name,
    container: HOOK_CONTAINER,
  });
  const masker = makeMasker(known ?? []);
  return { ...end, output: masker.text(end.output), reason: masker.text(end.reason) };
}

function attemptOf(
  { outcome, reason, output, exitCode = null, notStarted }: AttemptEnd,
  nowMs: number,
): Omit<ActionAttempt, 'startedAt'> {
  const totalBytes = new TextEncoder().encode(output).length;
  return {
    endedAt: microTimeText(nowMs),
    outcome,
    reason: shortReason(reason),
    ...(exitCode === null ? {} : { exitCode }),
    ...(output === ''
      ? {}
      : { output: keptOutput(output, { totalBytes, bytesMax: OUTPUT_BYTES_MAX }) }),
    ...(notStarted === undefined ? {} : { notStarted }),
  };
}

function changed(
  { facts }: Acting,
  { name }: RestoreHook,
  change: (status: RestoreHookStatus) => RestoreHookStatus,
): RestoreHookStatus[] {
  const { hooks = [] } = facts.restore.status ?? {};
  return hooks.map((status) => (status.name === name ? change(status) : status));
}

export async function verified(
  acting: Acting,
  { verification }: StepOf<'verified'>,
): Promise<Outcome> {
  const { result, reason, message } = verification;
  const recorded = { verification: { ...verification, at: nowText(acting) } };
  if (result !== 'Passed') {
    const why = `The copy is not verified: ${message}`;
    return fail(acting, { reason, message: why }, recorded);
  }
  await writeStatus(acting, recorded);
  recordEvent(acting, 'Normal', { reason: 'Verified', message });
  return again;
}
