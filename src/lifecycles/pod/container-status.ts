import type { Container, ContainerState, ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { exitCodeOf } from '../../model/exit-code.ts';
import type { ContainerFacts } from './facts.ts';
import { crashLoopMessage } from './kubelet-words.ts';
import { endOf, type Run } from './run.ts';
import { timeText } from '../../controller/kube-time.ts';

export interface StatusOfContainer {
  readonly facts: ContainerFacts;
  readonly current: Run | null;
  readonly last: Run | null;
  /** Whether it has ended and waits for its next run. */
  readonly restarts: boolean;
  /** The scheme of its container id: "process", "runc". */
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

/** `allocatedResources`: the requests of the spec; `resources`: what the running container has. */
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

/** `lastState`: the run that just ended if a restart follows; else the run before the current one. */
function lastStateOf(reporting: StatusOfContainer): ContainerState {
  const { facts, current, last, runtime, restarts } = reporting;
  const waits = restarts || facts.state.kind !== 'ended';
  const run = waits && current !== null && endOf(current) !== null ? current : last;
  return run === null ? {} : terminated(run, runtime);
}

/** Exit code reported for an unknown exit status: that of SIGKILL. */
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
