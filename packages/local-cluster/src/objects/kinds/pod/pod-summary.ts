/**
 * Summarizes the state of a pod in one line, with the texts of `kubectl get`.
 *
 * It shows why the pod is not running. The phase, the init containers, the containers and the deletion are read in this
 * order, and a later reason replaces an earlier one.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { humanAge } from '../../table-format.ts';
import {
  isTrue,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  /** Restarts and the age of the last one, such as "3 (5m ago)". */
  restarts(now: string): string;
}

interface Tally {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

const NODE_LOST = 'NodeLost';

export function podSummary(pod: JsonObject): PodSummary {
  const sidecars = sidecarNames(pod);
  const phase = textAt(pod, 'status', 'phase');
  const tally: Tally = { reason: firstReason(pod, phase), ready: 0, restarts: 0, lastRestart: '' };
  const initializing = countInitContainers(pod, sidecars, tally);
  if (!initializing || hasCondition(pod, 'Initialized')) countContainers(pod, sidecars, tally);
  return {
    ready: tally.ready,
    total: objectsAt(pod, 'spec', 'containers').length + sidecars.size,
    reason: deletionReason(pod, phase) ?? tally.reason,
    restarts(now) {
      const count = String(tally.restarts);
      if (tally.restarts === 0 || tally.lastRestart === '') return count;
      return `${count} (${humanAge(tally.lastRestart, now)} ago)`;
    },
  };
}

function sidecarNames(pod: JsonObject): ReadonlySet<string> {
  return new Set(
    objectsAt(pod, 'spec', 'initContainers')
      .filter((container) => textAt(container, 'restartPolicy') === 'Always')
      .map((container) => textAt(container, 'name')),
  );
}

function firstReason(pod: JsonObject, phase: string): string {
  const gated = objectsAt(pod, 'status', 'conditions').some(
    (condition) =>
      textAt(condition, 'type') === 'PodScheduled' &&
      textAt(condition, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || phase;
}

/** Counts the init containers; returns true if the pod still waits for one. */
function countInitContainers(
  pod: JsonObject,
  sidecars: ReadonlySet<string>,
  tally: Tally,
): boolean {
  for (const [index, status] of objectsAt(pod, 'status', 'initContainerStatuses').entries()) {
    countRestarts(status, tally);
    const sidecar = sidecars.has(textAt(status, 'name'));
    if (sidecar && isTrue(status, 'started')) {
      if (isTrue(status, 'ready')) tally.ready += 1;
    } else if (numberAt(status, 'state', 'terminated', 'exitCode') !== 0) {
      tally.reason = initReason(pod, status, index);
      return true;
    }
  }
  return false;
}

function initReason(pod: JsonObject, status: JsonObject, index: number): string {
  const terminated = objectAt(status, 'state', 'terminated');
  if (terminated !== undefined) return `Init:${endReason(terminated)}`;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${objectsAt(pod, 'spec', 'initContainers').length}`;
}

/** Counts the containers. Restarts of an init container count only if it is a sidecar. */
function countContainers(pod: JsonObject, sidecars: ReadonlySet<string>, tally: Tally): void {
  tally.restarts = 0;
  tally.lastRestart = '';
  for (const status of objectsAt(pod, 'status', 'initContainerStatuses')) {
    if (sidecars.has(textAt(status, 'name'))) countRestarts(status, tally);
  }
  let running = false;
  for (const status of objectsAt(pod, 'status', 'containerStatuses').toReversed()) {
    countRestarts(status, tally);
    const held = heldUpBy(status);
    if (held !== '') tally.reason = held;
    else if (isTrue(status, 'ready') && objectAt(status, 'state', 'running') !== undefined) {
      running = true;
      tally.ready += 1;
    }
  }
  if (tally.reason === 'Completed' && running) {
    tally.reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  }
}

function heldUpBy(status: JsonObject): string {
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const terminated = objectAt(status, 'state', 'terminated');
  if (waiting !== '' || terminated === undefined) return waiting;
  return endReason(terminated);
}

function endReason(terminated: JsonObject): string {
  const signal = numberAt(terminated, 'signal') ?? 0;
  const bare =
    signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
  return textAt(terminated, 'reason') || bare;
}

function countRestarts(status: JsonObject, tally: Tally): void {
  tally.restarts += numberAt(status, 'restartCount') ?? 0;
  const ended = textAt(status, 'lastState', 'terminated', 'finishedAt');
  if (ended > tally.lastRestart) tally.lastRestart = ended;
}

function hasCondition(pod: JsonObject, type: string): boolean {
  return objectsAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}

function deletionReason(pod: JsonObject, phase: string): string | undefined {
  if (textAt(pod, 'metadata', 'deletionTimestamp') === '') return undefined;
  if (textAt(pod, 'status', 'reason') === NODE_LOST) return 'Unknown';
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}
