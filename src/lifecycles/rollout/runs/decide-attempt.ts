/** The one next thing of an attempt whose intent is recorded and whose outcome is not. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isGoing } from '../../../controller/finalizers.ts';
import { identityOf, isSameIdentity } from '../hookpod/identity.ts';
import { type PodState, readHookPod } from '../hookpod/read-hook-pod.ts';
import type { HookAttempt, HookRun } from '../kinds.ts';
import { attemptEnd, limitsOf, LOST } from './attempt-end.ts';
import { podIdentity } from './hook-run.ts';
import type { AttemptEnd, StageAbort, StageRequest, StageStep } from './stage.ts';

export interface AttemptFacts {
  readonly run: HookRun;
  /** null: nothing is to be begun any more; there is an `abort` then. */
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
  const { uid = '', name = '' } = pod.metadata ?? {};
  if (podUID === undefined) return { kind: 'recordPod', run, attempt: number, pod };
  if (podUID !== uid) return lookFor(facts, attempt, LOST);
  const state = readHookPod(pod);
  const limits = limitsOf(facts, attempt, pod);
  if (state.kind === 'ended') {
    const end = attemptEnd(state, limits);
    return { kind: 'recordOutcome', run, attempt: number, pod, end, abort };
  }
  const { stop, untilMs } = limits;
  if (isGoing(pod)) {
    const reason = `hook pod ${name} is to end${saying(noteOf(state))}`;
    return { kind: 'wait', untilMs: null, reason };
  }
  if (stop !== null) return { kind: 'deletePod', pod, reason: stop.message };
  return { kind: 'wait', untilMs, reason: `hook pod ${name} ${describeState(state)}` };
}

/** One of that name which is not ours is found out when ours is to be made. */
function podFor({ run, pods }: AttemptFacts, { number, podName }: HookAttempt): Pod | null {
  const wanted = podIdentity(run, number);
  const found = pods.find(
    (pod) => pod.metadata?.name === podName && isSameIdentity(identityOf(pod), wanted),
  );
  return found ?? null;
}

/** Our finalizer holds a pod until its end is recorded: one that is not there was never made, or set free by force. */
function withoutPod(facts: AttemptFacts, attempt: HookAttempt): StageStep {
  const { run, request } = facts;
  if (attempt.podUID !== undefined) return lookFor(facts, attempt, LOST);
  const { stop } = limitsOf(facts, attempt, null);
  if (stop !== null) return lookFor(facts, attempt, stop);
  if (request === null) return { kind: 'wait', untilMs: null, reason: 'nothing is to be begun' };
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
