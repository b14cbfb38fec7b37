/**
 * Runs one list of hooks in order (PIPE-S3). Each hook is its own engine run: its environment contains the values of
 * earlier hooks, it may wait for a lock before its deadline starts, and `rerun` accepts its run id.
 *
 * In a before or after list, the first hook that fails with `onFailure: fail` ends the list, and so does a
 * cancellation. onError and finally are cleanup: a cancellation does not reach them, but a second one, `hurry`, does; a
 * failed hook does not prevent the others.
 */
import { type Act, bareResult } from '../../../engine/act.ts';
import { makePlan, type Step } from '../../../engine/plan.ts';
import { runPlan } from '../../../engine/run.ts';
import type { HookPolicy } from '../../../model/hook.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { callbackType } from '../events/hook-counts.ts';
import { attemptContainers, NO_CONTAINER } from './attempt-containers.ts';
import { attemptHost } from './attempt-host.ts';
import { decideHook } from './decide.ts';
import { type HookFailure, hookFailure } from './hook-failure.ts';
import type { PipelineHook } from './model.ts';
import { isCleanup, ListIntents, titleOf } from './list-intents.ts';
import { recordRun, secretsOf } from './recorded-run.ts';
import type { HookList, HookRunContext } from './run-context.ts';

export interface HookListResult {
  readonly outcome: 'Succeeded' | 'Failed' | 'Cancelled';
  /** The exit code of the first failed hook; 0: none failed. */
  readonly exitCode: number;
  readonly failure: HookFailure | null;
  /** For render: the manifests after the hooks; absent: the list got no manifests. */
  readonly manifests?: string;
}

/** Seconds. A cancellation does not reach a cleanup hook, so each has a timeout. */
export const CLEANUP_TIMEOUT_SECONDS = 600;

/** The exit code of an interrupted list or phase. */
export const INTERRUPTED = 130;

/** Rejects if the ledger, the history or the record for `rerun` cannot be written: a hook must not run unrecorded. */
export async function runHookList(
  list: HookList,
  context: HookRunContext,
): Promise<HookListResult> {
  const state: ListState = { manifests: list.manifests, failure: null, cancelled: false };
  const intents = new ListIntents(list, context);
  try {
    for (const hook of list.hooks) {
      state.cancelled ||= endOf(hook, context).aborted;
      if (isOver(state, hook, context)) break;
      await runNext(hook, state, { list, context, intents });
    }
  } finally {
    intents.close();
  }
  const { failure, cancelled, manifests } = state;
  const rest = { failure, ...(manifests === undefined ? {} : { manifests }) };
  if (cancelled) return { outcome: 'Cancelled', exitCode: INTERRUPTED, ...rest };
  if (failure === null) return { outcome: 'Succeeded', exitCode: 0, ...rest };
  return { outcome: 'Failed', exitCode: failure.exitCode, ...rest };
}

interface ListState {
  manifests: string | undefined;
  /** The first failure; null: no hook has failed. */
  failure: HookFailure | null;
  cancelled: boolean;
}

function isOver(
  { failure, cancelled }: ListState,
  hook: PipelineHook,
  { hurry }: HookRunContext,
): boolean {
  return isCleanup(hook) ? hurry.aborted : failure !== null || cancelled;
}

/** The signal that cancels this hook. */
function endOf(hook: PipelineHook, { signal, hurry }: HookRunContext): CancelSignal {
  return isCleanup(hook) ? hurry : signal;
}

async function runNext(
  hook: PipelineHook,
  state: ListState,
  { list, context, intents }: Pick<OneHook, 'list' | 'context' | 'intents'>,
): Promise<void> {
  const { manifests } = state;
  const facts = await factsNow(hook, list);
  const current = manifests === undefined ? { ...list, facts } : { ...list, facts, manifests };
  const onManifests = (text: string): void => {
    Object.assign(state, { manifests: text });
  };
  const failed = await runIfMeant({ hook, list: current, context, intents, onManifests });
  if (failed === null) return;
  Object.assign(state, {
    failure: state.failure ?? failed,
    cancelled: state.cancelled || failed.outcome === 'Cancelled',
  });
}

/** The facts with the current digest of the hook's inputs. Those of the first hook were read just before the list. */
async function factsNow(hook: PipelineHook, list: HookList): Promise<HookList['facts']> {
  const { hooks, facts, digestNow } = list;
  const digest = hook === hooks[0] ? null : ((await digestNow?.(hook)) ?? null);
  if (digest === null) return facts;
  return { ...facts, digests: new Map(facts.digests).set(hook.address, digest) };
}

interface OneHook {
  readonly hook: PipelineHook;
  readonly list: HookList;
  readonly context: HookRunContext;
  readonly intents: ListIntents;
  readonly onManifests: (text: string) => void;
}

/** null: the hook succeeded, was skipped, or its failure is ignored. */
async function runIfMeant(one: OneHook): Promise<HookFailure | null> {
  const { hook, list, context } = one;
  const decision = decideHook(hook, list.facts);
  if (!decision.runs) {
    reportCallback(one, { status: 'Skipped', message: decision.reason });
    return null;
  }
  const { lock } = hook.policy;
  if (lock === undefined) return runOne(one);
  const release = await context.locks.hold(lock, endOf(hook, context));
  if (release === null) return cancelledWaiting(one, lock);
  try {
    return await runOne(one);
  } finally {
    release();
  }
}

function cancelledWaiting({ hook }: OneHook, lock: string): HookFailure {
  const reason = `It was cancelled while it waited for the lock "${lock}".`;
  return hookFailure({ hook, runId: null }, 'Cancelled', { result: null, reason });
}

async function runOne(one: OneHook): Promise<HookFailure | null> {
  const { hook, context, intents } = one;
  // The history is written first. If that fails, the intents still have the hook's run, and settle it when the list
  // ends.
  await context.history.begins(hook.address);
  const runId = await intents.open(hook);
  const kind: Step['kind'] = isCleanup(hook) ? 'cleanup' : 'main';
  const source = { kind: 'file', ...hook.at } as const;
  const steps: Step[] = [{ kind, name: hook.address, policy: policyOf(hook), source }];
  if (hook.action.kind === 'host') reportCallback(one, { status: 'InProgress' });
  const record = onlyOnce(runId, one);
  const {
    outcome,
    reason,
    steps: ran,
  } = await runPlan({
    plan: makePlan({ runId, title: titleOf(hook), steps, deadlineAtMs: null }),
    ledger: intents.ledger,
    act: untilHurried(actOf(one, record), one),
    platform: context.platform,
    signal: context.signal,
  });
  // The record must exist before the run's id is reported.
  await record();
  const result = ran[0]?.result ?? null;
  if (outcome === 'Succeeded') {
    reportSuccess(one, result);
    await recordSuccess(one, result);
    return null;
  }
  const end = isHurried(hook, result) ? 'Cancelled' : outcome;
  const failure = hookFailure({ hook, runId }, end, { result, reason });
  return weigh(one, failure, result?.durationMs ?? 0);
}

/** Returns a function that writes the record for `rerun` once. Call it during the run, so that no start is delayed. */
function onlyOnce(runId: string, { hook, list, context }: OneHook): () => Promise<void> {
  const atMs = context.platform.clock.nowMs();
  let written: Promise<void> | null = null;
  return () => {
    written ??= context.records.write(recordRun({ runId, atMs, hook, list, context }));
    // Prevents an unhandled rejection: the list awaits the record only at the end of the run, and then fails.
    written.catch(() => undefined);
    return written;
  };
}

type Result = Awaited<ReturnType<typeof runPlan>>['steps'][number]['result'];

/** Whether a second interruption cancelled a cleanup hook. The engine never cancels one, and reports it as failed. */
function isHurried(hook: PipelineHook, result: Result): boolean {
  return isCleanup(hook) && result?.outcome === 'Cancelled';
}

/** Records the success of a hook. A hook that ran in no container did not run, and is not recorded. */
async function recordSuccess({ hook, list, context }: OneHook, result: Result): Promise<void> {
  if (result?.reason === NO_CONTAINER) return;
  await context.history.succeeded(hook.address, list.facts.digests.get(hook.address) ?? null);
}

function reportSuccess(one: OneHook, result: Result): void {
  const { hook, context } = one;
  if (hook.action.kind === 'host') {
    reportCallback(one, { status: 'Completed', exitCode: 0, durationMs: result?.durationMs ?? 0 });
  } else if (result?.reason === NO_CONTAINER) {
    reportCallback(one, { status: 'Skipped', message: NO_CONTAINER });
    context.emit({ type: 'Warning', code: 'LHL202', message: `${hook.address}: ${NO_CONTAINER}` });
  }
}

/** Applies `onFailure` to a failed hook. A cancellation is not a failure of the hook, so no policy ignores it. */
function weigh(one: OneHook, failure: HookFailure, durationMs: number): HookFailure | null {
  const { hook, context } = one;
  const { exitCode, message } = failure;
  // A container hook has emitted one event per container already.
  if (hook.action.kind === 'host') {
    reportCallback(one, { status: 'Failed', message, exitCode, durationMs });
  }
  if (failure.outcome === 'Cancelled' || hook.policy.onFailure === 'fail') return failure;
  if (hook.policy.onFailure === 'warn') context.emit({ type: 'Warning', code: 'LHL201', message });
  return null;
}

/** Gives cleanup hooks the signal of a second interruption, since the engine's signal for them never aborts. */
function untilHurried(act: Act, { hook, context }: OneHook): Act {
  return isCleanup(hook) ? (request) => act({ ...request, signal: context.hurry }) : act;
}

function actOf({ hook, list, context, onManifests }: OneHook, record: () => Promise<void>): Act {
  const onStarted = (): void => void record();
  const { action } = hook;
  const secrets = secretsOf(hook, context);
  if (action.kind === 'host') {
    const one = { hook, action, list, context, onManifests, onStarted };
    return (request) => attemptHost(one, { ...request, secrets });
  }
  const { cluster } = context;
  const { containers } = list;
  if (cluster === null || containers === null) {
    const why = 'There is no cluster in whose containers the hook could run.';
    return () => Promise.resolve(bareResult('Failed', why, 0));
  }
  const one = { hook, action, containers, cluster, context, done: new Set<string>() };
  return (request) => attemptContainers(one, { ...request, secrets });
}

function policyOf(hook: PipelineHook): HookPolicy {
  const { timeoutSeconds, retries: limit, backoffSeconds } = hook.policy;
  return {
    timeoutSeconds: timeoutSeconds ?? (isCleanup(hook) ? CLEANUP_TIMEOUT_SECONDS : null),
    retry: { limit, backoffSeconds },
    failurePolicy: 'Abort',
  };
}

type Callback = Extract<
  Parameters<HookRunContext['emit']>[0],
  { type: 'HostCallbackEvent' | 'ContainerCallbackEvent' }
>;

function reportCallback(
  { hook, context }: OneHook,
  event: Omit<Callback, 'type' | 'callback' | 'address'>,
): void {
  const type = hook.action.kind === 'host' ? 'HostCallbackEvent' : 'ContainerCallbackEvent';
  context.emit({ type, callback: callbackType(hook), address: hook.address, ...event });
}
