/** The status of a pod in the API: phase, conditions and containers, from the same facts as the decision. Pure. */
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from 'kubernetes-types/core/v1.js';

import { exitCodeOf } from '../../model/exit-code.ts';
import { conditionsOf } from './conditions.ts';
import { initialized, type PodDecision } from './decide.ts';
import type { ContainerFacts, ContainerLife, PodFacts } from './facts.ts';
import { crashLoopMessage } from './kubelet-words.ts';
import type { ResizeState } from './resize.ts';
import { timeText } from '../../controller/kube-time.ts';
import { endOf, type Run } from './run.ts';

export interface StatusFacts {
  readonly facts: PodFacts;
  readonly decision: Pick<PodDecision, 'over' | 'termination'>;
  readonly containers: readonly StatusOfContainer[];
  readonly resize: ResizeState | null;
  readonly podIp: string | null;
  readonly hostIp: string;
  /** The last reported status, from which the times of unchanged conditions are kept. */
  readonly before: PodStatus;
}

export function podStatus(reporting: StatusFacts): PodStatus {
  const { facts, podIp, hostIp, before, decision } = reporting;
  const phase = phaseOf(reporting);
  const statuses = reporting.containers.map((container) => {
    const status = containerStatus(container, facts.pod);
    return isLost(container.facts, reporting) ? { ...status, state: LOST } : status;
  });
  const named = (init: boolean): ContainerStatus[] =>
    statuses.filter((_, index) => (facts.containers[index]?.role === 'main') !== init);
  const initStatuses = named(true);
  const mains = named(false).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const { generation } = facts.pod.metadata ?? {};
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...reasonOf(decision),
    phase,
    hostIP: hostIp,
    ...(podIp === null ? {} : { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime: before.startTime ?? timeText(facts.podStartedAtMs),
    ...(before.qosClass === undefined ? {} : { qosClass: before.qosClass }),
    conditions: conditionsOf(reporting, neverRan(reporting) ? 'Pending' : phase),
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: initStatuses }),
    containerStatuses: mains,
  };
}

/** Status of a main container that never ran although it was allowed to, once the pod is over. */
const LOST = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
};

function isLost({ role, state }: ContainerFacts, { facts, decision }: StatusFacts): boolean {
  return decision.over && role === 'main' && state.kind !== 'ended' && initialized(facts);
}

/**
 * True: the pod is deleted, and a main container never ran. A kubelet then sets the phase Failed and keeps the
 * conditions.
 */
function neverRan(reporting: StatusFacts): boolean {
  const deleted = reporting.decision.termination?.reason === 'Deleted';
  return deleted && reporting.facts.containers.some((container) => isLost(container, reporting));
}

function reasonOf({ termination }: StatusFacts['decision']): Pick<PodStatus, 'reason' | 'message'> {
  if (termination?.reason !== 'DeadlineExceeded') return {};
  return { reason: termination.reason, message: termination.message };
}

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The phase. A pod that has run stays Running until its last container has ended, also between two runs. */
function phaseOf({ facts, decision, before }: StatusFacts): Phase {
  const mains = facts.containers.filter(({ role }) => role === 'main');
  if (decision.over && decision.termination !== null) {
    const { reason } = decision.termination;
    if (reason === 'DeadlineExceeded' || reason === 'InitFailed') return 'Failed';
    const failed = mains.some(({ state }) => state.kind !== 'ended' || state.end.exitCode !== 0);
    return failed ? 'Failed' : 'Succeeded';
  }
  const begun = mains.some(
    ({ state, restartCount }) => restartCount > 0 || state.kind === 'ended' || isRunning(state),
  );
  return begun || before.phase === 'Running' ? 'Running' : 'Pending';
}

function isRunning(state: ContainerLife): boolean {
  if (state.kind === 'stopping') return state.startedAtMs !== null;
  return state.kind === 'running';
}

export interface StatusOfContainer {
  readonly facts: ContainerFacts;
  readonly current: Run | null;
  readonly last: Run | null;
  /** True: the container has ended, and waits for its next run. */
  readonly restarts: boolean;
  /** The scheme of its container id, such as "process" or "runc". */
  readonly runtime: string;
  readonly imageId: string;
}

/** A status with resources, which the typed API does not have yet. */
type Status = ContainerStatus &
  Pick<Container, 'resources'> & { readonly allocatedResources?: Readonly<Record<string, string>> };
type AllocationField = 'resources' | 'allocatedResources';

export function containerStatus(reporting: StatusOfContainer, pod: Pod): Status {
  const { facts, current, runtime, imageId } = reporting;
  const { spec, ready, started, restartCount } = facts;
  const container = current?.container ?? null;
  return {
    name: spec.name,
    state: stateOf(reporting, pod),
    lastState: lastStateOf(reporting),
    ready:
      facts.role === 'init'
        ? facts.state.kind === 'ended' && facts.state.end.exitCode === 0
        : ready,
    restartCount,
    image: facts.ran?.image ?? spec.image ?? '',
    imageID: imageId,
    ...(container === null ? {} : { containerID: `${runtime}://${container.id}` }),
    started,
    ...(container === null ? {} : resourcesOf(facts)),
  };
}

/**
 * The two fields about resources. `allocatedResources`: the requests of the spec. `resources`: the resources of the
 * running container.
 */
function resourcesOf({ spec, ran }: ContainerFacts): Pick<Status, AllocationField> {
  const { requests = {} } = spec.resources ?? {};
  const resources = ran?.resources ?? {};
  return Object.keys(requests).length === 0
    ? { resources }
    : { allocatedResources: requests, resources };
}

function stateOf(reporting: StatusOfContainer, pod: Pod): ContainerState {
  const { state } = reporting.facts;
  switch (state.kind) {
    case 'absent':
    case 'starting':
      return notYet(pod);
    case 'unstartable':
      if (state.reason === 'FailedMount') return notYet(pod);
      return { waiting: { reason: state.reason, message: state.message } };
    case 'running':
    case 'stopping':
      if (state.startedAtMs === null) return notYet(pod);
      return { running: { startedAt: timeText(state.startedAtMs) } };
    case 'ended':
      return reporting.restarts
        ? backingOff(reporting, state.pauseSeconds, pod)
        : endedState(reporting);
    default:
      return state satisfies never;
  }
}

/** The state before the first run; its reason is the same for all containers of a pod. */
function notYet({ spec }: Pod): ContainerState {
  const hasInits = (spec?.initContainers ?? []).length > 0;
  return { waiting: { reason: hasInits ? 'PodInitializing' : 'ContainerCreating' } };
}

function backingOff({ facts }: StatusOfContainer, pauseSeconds: number, pod: Pod): ContainerState {
  const message = crashLoopMessage(pauseSeconds, facts.spec.name, pod);
  return { waiting: { reason: 'CrashLoopBackOff', message } };
}

function endedState({ current, runtime }: StatusOfContainer): ContainerState {
  return current === null ? {} : terminated(current, runtime);
}

/** `lastState`: the run that just ended if a restart follows; otherwise the run before the current one. */
function lastStateOf(reporting: StatusOfContainer): ContainerState {
  const { facts, current, last, runtime, restarts } = reporting;
  const waits = restarts || facts.state.kind !== 'ended';
  const run = waits && current !== null && endOf(current) !== null ? current : last;
  return run === null ? {} : terminated(run, runtime);
}

/** Exit code that is reported if the real one is not known: that of SIGKILL. */
const UNSEEN = 137;

function terminated(run: Run, runtime: string): ContainerState {
  const end = endOf(run);
  if (end === null) return {};
  const { container } = run;
  return {
    terminated: {
      exitCode: exitCodeOf(end) ?? UNSEEN,
      reason: end.reason,
      ...(end.message === undefined ? {} : { message: end.message }),
      startedAt: timeText(run.startedAtMs),
      finishedAt: timeText(end.endedAtMs),
      ...(container === null ? {} : { containerID: `${runtime}://${container.id}` }),
    },
  };
}
