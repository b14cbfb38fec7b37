/**
 * Decides the next step of an attempt that has a recorded intent and no recorded outcome. Also computes its time limit
 * and its end. Pure.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { isTerminating } from '../../../controller/finalizers.ts';
import { textStart } from '../../../model/cut-text.ts';
import { type PodState, readHookPod, type PodEnd } from '../hookpod/read-hook-pod.ts';
import type { HookAttempt, HookRun } from '../kinds.ts';
import { isPodOfAttempt } from './hook-run.ts';
import type { AttemptEnd, StageAbort, StageRequest, StageStep } from './stage.ts';
import { deadlineAtMs, type RunFacts, timeMs } from './run-plan.ts';

export interface AttemptFacts {
  readonly run: HookRun;
  /** null: no pod may be created any more, in which case there is an `abort`. */
  readonly request: StageRequest | null;
  readonly pods: readonly Pod[];
  readonly nowMs: number;
  readonly abort: StageAbort | null;
}

export function decideAttempt(facts: AttemptFacts, attempt: HookAttempt): StageStep {
  const pod = podFor(facts, attempt);
  if (pod === null) return withoutPod(facts, attempt);
  const { run, abort } = facts;
  const { number, podUID } = attempt;
  if (podUID === undefined) return { kind: 'recordPod', run, attempt: number, pod };
  const state = readHookPod(pod);
  if (state.kind !== 'ended') return withLivePod(facts, attempt, { pod, state });
  const end = attemptEnd(state, limitsOf(facts, attempt, pod));
  return { kind: 'recordOutcome', run, attempt: number, pod, end, abort };
}

interface LivePod {
  readonly pod: Pod;
  readonly state: Alive;
}

function withLivePod(
  facts: AttemptFacts,
  attempt: HookAttempt,
  { pod, state }: LivePod,
): StageStep {
  const { name = '' } = pod.metadata ?? {};
  const { stop, untilMs } = limitsOf(facts, attempt, pod);
  if (isTerminating(pod)) {
    const reason = `hook pod ${name} is being stopped${saying(noteOf(state))}`;
    return { kind: 'wait', untilMs: null, reason };
  }
  if (stop !== null) return { kind: 'deletePod', pod, reason: stop.message };
  const waitsFor = obstacleOf(state);
  if (waitsFor !== (attempt.waitsFor ?? null)) {
    return { kind: 'recordWait', run: facts.run, attempt: attempt.number, waitsFor };
  }
  return { kind: 'wait', untilMs, reason: `hook pod ${name} ${describeState(state)}` };
}

/**
 * The pod of the attempt; null: it was not found. A pod of that name that another client created is ignored here; the
 * creation of the attempt's pod detects it.
 */
function podFor({ run, pods }: AttemptFacts, attempt: HookAttempt): Pod | null {
  const named = pods.find(({ metadata }) => metadata?.name === attempt.podName);
  return named !== undefined && isPodOfAttempt(run, attempt, named) ? named : null;
}

/**
 * The step without a pod. Lifehook's finalizer keeps a pod until its end is recorded, so a missing pod was never
 * created, or was removed by force.
 */
function withoutPod(facts: AttemptFacts, attempt: HookAttempt): StageStep {
  const { run, request } = facts;
  if (attempt.podUID !== undefined) return lookFor(facts, attempt, LOST);
  const { stop } = limitsOf(facts, attempt, null);
  if (stop !== null) return lookFor(facts, attempt, stop);
  if (request === null) return { kind: 'wait', untilMs: null, reason: 'no attempt is requested' };
  return { kind: 'createPod', run, request, attempt: attempt.number };
}

function lookFor(
  { run, abort }: AttemptFacts,
  { number }: HookAttempt,
  ifMissing: AttemptEnd,
): StageStep {
  return { kind: 'lookForPod', run, attempt: number, ifMissing, abort };
}

type Alive = Exclude<PodState, { kind: 'ended' }>;

/** Maximum length of a scheduler's message, which may list the nodes of a large cluster. */
const OBSTACLE_CHARACTERS_MAX = 1_024;

function obstacleOf(state: Alive): string | null {
  if (state.kind === 'running' || !state.obstacle) return null;
  return textStart(state.waitsFor, OBSTACLE_CHARACTERS_MAX);
}

function describeState(state: Alive): string {
  if (state.kind === 'notStarted') return `waits: ${state.waitsFor}`;
  return `runs${saying(state.note)}`;
}

function noteOf(state: Alive): string {
  return state.kind === 'running' ? state.note : state.waitsFor;
}

function saying(note: string): string {
  return note === '' ? '' : ` (${note})`;
}

export interface Limits {
  /** Wall clock, milliseconds; the time at which the attempt must stop. */
  readonly untilMs: number;
  /** Why the attempt must stop now; null: it may continue. */
  readonly stop: Required<Pick<AttemptEnd, 'outcome' | 'reason' | 'message'>> | null;
}

/**
 * The limits of an attempt. The deadline of the stage counts from the start of the stage, even if no node was found for
 * the pod (ROLL-C6).
 */
export function limitsOf(facts: RunFacts, attempt: HookAttempt, pod: Pod | null): Limits {
  const { run, nowMs, abort } = facts;
  const { timeoutSeconds } = run.spec.hook;
  const deadlineMs = deadlineAtMs(facts);
  const timeoutMs = timeoutSeconds === undefined ? Infinity : timeoutSeconds * 1_000;
  const untilMs = Math.min(deadlineMs, beganMs(attempt, pod) + timeoutMs);
  if (abort !== null) return { untilMs, stop: { outcome: 'Aborted', ...abort } };
  if (nowMs < untilMs) return { untilMs, stop: null };
  const late = nowMs >= deadlineMs;
  const reason = late ? 'DeadlineExceeded' : 'HookTimedOut';
  const message = late
    ? `the stage's deadline of ${run.spec.deadlineSeconds} s has passed`
    : `the timeout of ${timeoutSeconds ?? 0} s for each attempt has passed`;
  return { untilMs, stop: { outcome: 'TimedOut', reason, message } };
}

/**
 * Wall clock, milliseconds: the time at which the pod was created. The server reports it in whole seconds, rounded
 * down. The recorded start is earlier, and much earlier if no controller ran that could create the pod.
 */
function beganMs({ startedAt }: HookAttempt, pod: Pod | null): number {
  const createdMs = timeMs(pod?.metadata?.creationTimestamp ?? startedAt);
  return Math.max(timeMs(startedAt), createdMs);
}

/** The end of an attempt: that of its pod if the pod ended by itself, and that of the stop if it was stopped. */
export function attemptEnd(end: PodEnd, { stop }: Limits): AttemptEnd {
  const { outcome, stopped, exitCode, signal, reason, message } = end;
  const reported = {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  if (!stopped) return { outcome, ...reported };
  if (stop !== null) return { ...stop, ...reported, outcome: stop.outcome };
  if (outcome === 'Unknown') return { outcome, ...reported };
  const by = 'another client deleted its pod';
  return { message: by, ...reported, outcome: 'Failed', reason: 'PodDeleted' };
}

/** The end of a pod that existed and whose exit was not recorded: its effect is not known. */
const LOST: AttemptEnd = {
  outcome: 'Unknown',
  reason: 'PodLost',
  message: 'its pod was deleted before its result was read',
};
