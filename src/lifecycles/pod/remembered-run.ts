/**
 * The latest run of a container that only the API knows. A program that could not be started left no process and no
 * record on the node, and the record of a run may be lost. After a restart of the node, the restart count and the
 * restart policy still apply to that run. Pure.
 */
import type { ContainerStatus, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import { nextBackoffSeconds, nextIdentity, type Run } from './run.ts';
import type { ContainerEnd } from '../../platform/container-runtime.ts';

/** null: the API knows no later run than `newest`, the newest run that the node found. */
export function rememberedRun(
  pod: Pod,
  container: string,
  { newest, nowMs }: { readonly newest: Run | null; readonly nowMs: number },
): Run | null {
  const reported = reportedStatusOf(pod.status ?? {}, container);
  if (reported === undefined || reported.restartCount <= (newest?.identity.restartCount ?? -1))
    return null;
  const known = endOf(reported, nowMs);
  if (known === null) return null;
  const { restartCount } = reported;
  const backoffSeconds = backoffBefore(restartCount);
  const identity = { ...nextIdentity(pod, container, null), restartCount, backoffSeconds };
  return { identity, container: null, ...known };
}

function reportedStatusOf(
  { initContainerStatuses = [], containerStatuses = [] }: PodStatus,
  container: string,
): ContainerStatus | undefined {
  return [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
}

type Known = Pick<Run, 'failure' | 'startedAtMs'>;

function endOf({ state, lastState }: ContainerStatus, nowMs: number): Known | null {
  if (state?.running !== undefined) return lost(timeOf(state.running.startedAt, nowMs), nowMs);
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended === undefined) return null;
  const { exitCode, reason = 'Error', message = '', finishedAt, startedAt } = ended;
  const endedAtMs = timeOf(finishedAt, nowMs);
  const failure: ContainerEnd = { exitCode, signal: null, endedAtMs, reason, message };
  return { failure, startedAtMs: timeOf(startedAt, endedAtMs) };
}

/** The end of a container that the API reports as running, but that does not exist. */
function lost(startedAtMs: number, nowMs: number): Known {
  const message = 'The container could not be found after the node restarted';
  const reason = 'ContainerStatusUnknown';
  const failure = { exitCode: 137, signal: null, endedAtMs: nowMs, reason, message };
  return { failure, startedAtMs };
}

function timeOf(text: string | undefined, otherwiseMs: number): number {
  return text === undefined ? otherwiseMs : Date.parse(text);
}

/** Seconds of the pause before the latest run, if every earlier run was short; null: the latest run is the first. */
function backoffBefore(restartCount: number): number | null {
  let backoffSeconds: number | null = null;
  for (let count = 0; count < Math.min(restartCount, LONGEST_ROW); count += 1) {
    backoffSeconds = nextBackoffSeconds({ backoffSeconds, ranMs: 0 });
  }
  return backoffSeconds;
}

/** Number of restarts, more than are needed to reach the longest pause. */
const LONGEST_ROW = 10;
