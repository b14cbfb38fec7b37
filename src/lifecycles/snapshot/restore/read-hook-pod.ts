/**
 * Reads the state of an attempt from its pod. Pure.
 *
 * The attempt ends when the pod has ended: while a node stops a pod, the pod does not report the reason yet. The
 * outcome is that of our container. A container that a webhook has added may keep the pod running until its deadline.
 */
import type { ContainerState, Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { HOOK_CONTAINER } from './hook-pod.ts';
import { hasEnded } from '../../../kube/pod-state.ts';

export type HookPodState =
  /**
   * isPlaced: the pod has a node, which may have started it. waitsFor: text for messages; '' if the pod reports
   * nothing.
   */
  { readonly kind: 'alive'; readonly isPlaced: boolean; readonly waitsFor: string } | HookPodEnd;

export interface HookPodEnd {
  readonly kind: 'ended';
  readonly outcome: 'Succeeded' | 'Failed' | 'TimedOut' | 'Unknown';
  /** Exit code of the command; absent: the command did not end by itself. */
  readonly exitCode?: number;
  readonly reason: string;
  readonly output: string;
}

export function readHookPod(pod: Pod): HookPodState {
  const state = stateOf(pod);
  if (!hasEnded(pod)) {
    const waitsFor = joined(state.waiting ?? unscheduledOf(pod));
    return { kind: 'alive', isPlaced: pod.spec?.nodeName !== undefined, waitsFor };
  }
  const { message: output = '' } = state.terminated ?? {};
  return { kind: 'ended', output, ...exitOf(pod, state), ...endOf(pod, state) };
}

/** The reason that a container runtime reports if any process of the container was killed for lack of memory. */
const OUT_OF_MEMORY = 'OOMKilled';
/** Reasons with which the exit code says nothing about the copy: the command did not run, or lacked memory. */
const NOT_JUDGED = ['StartError', 'ContainerCannotRun', OUT_OF_MEMORY];

/** The exit code of the command. Absent: the command did not end by itself, or did not run. */
function exitOf(pod: Pod, { terminated }: ContainerState): Pick<HookPodEnd, 'exitCode'> {
  if (terminated === undefined || isStopped(pod, terminated)) return {};
  return NOT_JUDGED.includes(terminated.reason ?? '') ? {} : { exitCode: terminated.exitCode };
}

/** The reason of a pod that its node stopped at its activeDeadlineSeconds. */
const TOO_LATE = 'DeadlineExceeded';

/**
 * Whether the node stopped the container with its pod, for example by an eviction: then the pod has a reason. The times
 * are from the clock of the node, in whole seconds.
 */
function isStopped({ spec, status = {} }: Pod, { finishedAt = '' }: Terminated): boolean {
  if (status.reason !== TOO_LATE) return status.reason !== undefined;
  const deadlineMs = (spec?.activeDeadlineSeconds ?? 0) * 1_000;
  return !(Date.parse(finishedAt) < Date.parse(status.startTime ?? '') + deadlineMs);
}

type Terminated = NonNullable<ContainerState['terminated']>;

/** The reason that a node reports for a container whose end it did not see. */
const UNSEEN = 'ContainerStatusUnknown';

function endOf(pod: Pod, state: ContainerState): Pick<HookPodEnd, 'outcome' | 'reason'> {
  const { terminated } = state;
  const name = pod.metadata?.name ?? '';
  const hasEndedBefore = terminated !== undefined && !isStopped(pod, terminated);
  if (pod.status?.reason === TOO_LATE && !hasEndedBefore) {
    return { outcome: 'TimedOut', reason: `Pod ${name} did not end in time.` };
  }
  if (isTerminating(pod) || terminated?.reason === UNSEEN) {
    return { outcome: 'Unknown', reason: `Pod ${name} was stopped before it ended by itself.` };
  }
  return ownEndOf(pod, state);
}

/** The end of a pod that was not stopped. */
function ownEndOf(pod: Pod, state: ContainerState): Pick<HookPodEnd, 'outcome' | 'reason'> {
  const { terminated } = state;
  const isGood = pod.status?.phase === 'Succeeded' || exitOf(pod, state).exitCode === 0;
  const isPlain = isGood && terminated?.reason !== OUT_OF_MEMORY;
  const how = isPlain ? ' with exit code 0' : failureText(pod, terminated);
  const reason = `Pod ${pod.metadata?.name ?? ''} ended${how}.`;
  return { outcome: isGood ? 'Succeeded' : 'Failed', reason };
}

const RAISE_MEMORY = 'raise the memory limit in resources of the hook';

function failureText({ status = {} }: Pod, terminated: ContainerState['terminated']): string {
  const code = terminated === undefined ? '' : ` with exit code ${terminated.exitCode}`;
  const ranOut = terminated?.reason === OUT_OF_MEMORY;
  const why = joined(ranOut ? { reason: OUT_OF_MEMORY, message: RAISE_MEMORY } : status);
  return `${code}${why === '' ? '' : ` (${why})`}`;
}

function stateOf({ status }: Pod): ContainerState {
  return status?.containerStatuses?.find(({ name }) => name === HOOK_CONTAINER)?.state ?? {};
}

interface Why {
  readonly reason?: string;
  readonly message?: string;
}

function unscheduledOf({ status }: Pod): Why {
  const conditions = status?.conditions ?? [];
  return conditions.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False') ?? {};
}

function joined({ reason = '', message = '' }: Why): string {
  return [reason, message].filter((text) => text !== '').join(': ');
}
