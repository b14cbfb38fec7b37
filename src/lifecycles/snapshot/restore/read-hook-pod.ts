/** Reads the state of an attempt from its pod. Only our container counts, whatever else runs in the pod. Pure. */
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

/** The exit code of the command. If the pod itself has a reason, its node ended it, for example by an eviction. */
function exitOf({ status }: Pod, { terminated }: ContainerState): Pick<HookPodEnd, 'exitCode'> {
  if (terminated === undefined || status?.reason !== undefined) return {};
  return NOT_JUDGED.includes(terminated.reason ?? '') ? {} : { exitCode: terminated.exitCode };
}

/** The reason that a node reports for a container whose end it did not see. */
const UNSEEN = 'ContainerStatusUnknown';

function endOf(pod: Pod, { terminated }: ContainerState): Pick<HookPodEnd, 'outcome' | 'reason'> {
  const name = pod.metadata?.name ?? '';
  const { phase, reason } = pod.status ?? {};
  if (reason === 'DeadlineExceeded') {
    return { outcome: 'TimedOut', reason: `Pod ${name} did not end in time.` };
  }
  if (isTerminating(pod) || terminated?.reason === UNSEEN) {
    return { outcome: 'Unknown', reason: `Pod ${name} was stopped before it ended by itself.` };
  }
  return phase === 'Succeeded'
    ? { outcome: 'Succeeded', reason: `Pod ${name} ended with exit code 0.` }
    : { outcome: 'Failed', reason: `Pod ${name} ended${failureText(pod, terminated)}.` };
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
