/**
 * Decides the next step of an attempt with a recorded intent and no recorded outcome (SNAP-V10). Pure.
 *
 * A restarted controller finds a pod by its name, and our finalizer keeps the pod until its end is recorded. So no hook
 * runs twice unseen. A command in a pod cannot be found again: its end is unknown after a restart of the controller.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { countText } from '../../../model/count-text.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import { type HookPodEnd, type HookPodState, readHookPod } from './read-hook-pod.ts';
import { statusOf, timeoutSecondsOf } from './hook-steps.ts';
import type { RestoreHook, ScaleAction, ScaledWorkload, SnapshotRestore } from './kinds.ts';
import type { AttemptEnd, RestoreStep } from './step.ts';

/** Milliseconds that a scheduled pod gets after its timeout, since its node stops it by activeDeadlineSeconds. */
const NODE_SLACK_MS = 15_000;
/**
 * Milliseconds that a pod being deleted gets after its timeout. Then its end counts as unknown: its node may be lost.
 */
const STOP_MS = 120_000;
const LOOK_MS = 1_000;

export function decideAttempt(facts: RestoreFacts, open: OpenHook): RestoreStep {
  const { hook } = open;
  if (hook.pod !== undefined) return decidePod(facts, open);
  return hook.scale === undefined ? decideExec(open) : decideScale(facts, open, hook.scale);
}

function decidePod(facts: RestoreFacts, open: OpenHook): RestoreStep {
  const { hook, pod, attempt } = open;
  const podUID = statusOf(facts.restore, hook.name)?.podUID;
  if (podUID === undefined) {
    return pod === null ? { kind: 'createPod', hook, attempt } : { kind: 'recordPod', hook, pod };
  }
  if (pod?.metadata?.uid !== podUID) {
    const reason = 'Its pod was deleted before its end was observed.';
    return { kind: 'recordEnd', hook, end: unknown(reason) };
  }
  return withPod(facts, open, pod);
}

function withPod(
  { nowMs }: RestoreFacts,
  { hook, stage, startedMs }: OpenHook,
  pod: Pod,
): RestoreStep {
  const state = readHookPod(pod);
  const late: Late = { hook, pod, lateMs: nowMs - startedMs - timeoutSecondsOf(hook) * 1_000 };
  if (state.kind === 'ended') {
    const end = endOf(late, state);
    return { kind: 'recordEnd', hook, end: stage === 'verify' ? judgedEnd(end) : end };
  }
  return isTerminating(pod) ? whileStopping(late, state) : whileAlive(late, state);
}

interface Late {
  readonly hook: RestoreHook;
  readonly pod: Pod;
  /** Milliseconds since the timeout of the attempt; negative before it. */
  readonly lateMs: number;
}

type Alive = Exclude<HookPodState, HookPodEnd>;

/**
 * The end of an attempt whose pod has ended. A pod that this controller stopped at its timeout has timed out. The end
 * of a pod that another client stopped is unknown.
 */
function endOf({ hook, pod, lateMs }: Late, { kind: _kind, ...end }: HookPodEnd): AttemptEnd {
  const isOurs = end.outcome === 'Unknown' && lateMs >= 0 && isTerminating(pod);
  if (!isOurs) return end;
  return { ...end, outcome: 'TimedOut', reason: tooLongText(hook, pod) };
}

/**
 * The end of a check. Without an exit code it is no success: the check lacked memory, and has not judged the copy
 * (SNAP-V11).
 */
function judgedEnd(end: AttemptEnd): AttemptEnd {
  const isJudged = end.outcome !== 'Succeeded' || end.exitCode !== undefined;
  return isJudged ? end : { ...end, outcome: 'Failed' };
}

function whileStopping({ hook, pod, lateMs }: Late, { isPlaced, waitsFor }: Alive): RestoreStep {
  const name = pod.metadata?.name ?? '';
  if (!isPlaced) {
    const end = unknown(`Pod ${name} was never started.${waitText(waitsFor)}`);
    return {
      kind: 'recordEnd',
      hook,
      end: { ...end, outcome: lateMs < 0 ? 'Failed' : 'TimedOut', notStarted: 'Unreached' },
    };
  }
  if (lateMs >= STOP_MS) {
    const end = unknown(`The deletion of pod ${name} was requested, but its end was not observed.`);
    return { kind: 'recordEnd', hook, end };
  }
  return { kind: 'wait', ms: LOOK_MS, reason: `pod ${name} is being stopped` };
}

function whileAlive({ hook, pod, lateMs }: Late, { isPlaced, waitsFor }: Alive): RestoreStep {
  const restMs = (isPlaced ? NODE_SLACK_MS : 0) - lateMs;
  const why = waitText(waitsFor);
  if (restMs <= 0) return { kind: 'deletePod', pod, reason: `${tooLongText(hook, pod)}${why}` };
  const reason = `pod ${pod.metadata?.name ?? ''} has not ended.${why}`;
  return { kind: 'wait', ms: restMs, reason };
}

function tooLongText(hook: RestoreHook, { metadata }: Pod): string {
  return `Pod ${metadata?.name ?? ''} did not end within ${timeoutSecondsOf(hook)} s.`;
}

function waitText(waitsFor: string): string {
  return waitsFor === '' ? '' : ` It waits: ${waitsFor}`;
}

function decideExec({ hook, attempt, exec, startedMs }: OpenHook): RestoreStep {
  switch (exec.kind) {
    case 'ended':
      return { kind: 'recordEnd', hook, end: exec.report };
    case 'intended':
      return { kind: 'beginExec', hook, attempt };
    case 'underWay': {
      const since = new Date(startedMs).toISOString();
      return {
        kind: 'wait',
        ms: timeoutSecondsOf(hook) * 1_000,
        reason: `the command has been running since ${since}`,
      };
    }
    case 'unseen': {
      const reason =
        'The controller that recorded this attempt stopped before it saw the end of the command: the result is not known.';
      return { kind: 'recordEnd', hook, end: unknown(reason) };
    }
    default:
      return exec satisfies never;
  }
}

/** SNAP-V9: only a workload whose replicas are recorded is scaled down. */
function decideScale(
  facts: RestoreFacts,
  { hook, scale, startedMs }: OpenHook,
  action: ScaleAction,
): RestoreStep {
  const what = `${action.kind} ${action.name}`;
  const end = (outcome: 'Succeeded' | 'Failed' | 'TimedOut', reason: string): RestoreStep => ({
    kind: 'recordEnd',
    hook,
    end: { outcome, reason: `${what} ${reason}.`, output: '' },
  });
  if (scale === null) return end('Failed', 'does not exist');
  const recorded = recordedScale(facts.restore, action);
  if (recorded === undefined) {
    return end(
      'Failed',
      'was created after the attempt had started: its replicas are not recorded',
    );
  }
  if (recorded.uid !== scale.uid) return end('Failed', 'was replaced');
  if (scale.wanted > 0 && scale.deletesClaims) {
    return end(
      'Failed',
      'deletes its claims when it is scaled down: set persistentVolumeClaimRetentionPolicy.whenScaled to Retain, then start another restore',
    );
  }
  const seconds = timeoutSecondsOf(hook);
  const isLate = facts.nowMs >= startedMs + seconds * 1_000;
  if (scale.wanted > 0) {
    if (!isLate) return { kind: 'scaleDown', hook };
    const replicas = countText(scale.wanted, 'replica');
    const why = 'another client may have set them';
    return end('TimedOut', `still has ${replicas} after ${seconds} s: ${why}`);
  }
  if (scale.actual === 0) return end('Succeeded', 'has no pods');
  if (isLate) {
    return end('TimedOut', `still has ${countText(scale.actual, 'pod')} after ${seconds} s`);
  }
  return { kind: 'wait', ms: LOOK_MS, reason: `${what} has ${countText(scale.actual, 'pod')}` };
}

/** undefined: the replicas of the workload are not recorded. */
export function recordedScale(
  { status }: SnapshotRestore,
  { kind, name }: ScaleAction,
): ScaledWorkload | undefined {
  return status?.scaled?.find((each) => each.kind === kind && each.name === name);
}

function unknown(reason: string): AttemptEnd {
  return { outcome: 'Unknown', reason, output: '' };
}
