/** The status of a pod in the API: phase, conditions and containers, from the same facts as the decision. Pure. */
import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';

import { conditionsOf } from './conditions.ts';
import { initialized, type PodDecision } from './decide.ts';
import { containerStatus, type StatusOfContainer } from './container-status.ts';
import type { ContainerFacts, ContainerLife, PodFacts } from './facts.ts';
import type { ResizeState } from './resize.ts';
import { timeText } from '../../controller/kube-time.ts';

export interface StatusFacts {
  readonly facts: PodFacts;
  readonly decision: Pick<PodDecision, 'over' | 'termination'>;
  readonly containers: readonly StatusOfContainer[];
  readonly resize: ResizeState | null;
  readonly podIp: string | null;
  readonly hostIp: string;
  /** The last reported status; times of unchanged conditions are kept. */
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
    conditions: conditionsOf(
      reporting,
      phase === 'Failed' && neverRan(reporting) ? 'Pending' : phase,
    ),
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: initStatuses }),
    containerStatuses: mains,
  };
}

/** Status of a main container that never ran although its turn had come, once the pod is over. */
const LOST = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
};

function isLost({ role, state }: ContainerFacts, { facts, decision }: StatusFacts): boolean {
  const over = decision.over && decision.termination !== null;
  return over && role === 'main' && state.kind !== 'ended' && initialized(facts);
}

/** A kubelet fails such a pod when it is deleted, and keeps its conditions. */
function neverRan(reporting: StatusFacts): boolean {
  const deleted = reporting.decision.termination?.reason === 'Deleted';
  return deleted && reporting.facts.containers.some((container) => isLost(container, reporting));
}

function reasonOf({ termination }: StatusFacts['decision']): Pick<PodStatus, 'reason' | 'message'> {
  if (termination?.reason !== 'DeadlineExceeded') return {};
  return { reason: termination.reason, message: termination.message };
}

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** A pod that has run stays Running until the last of its containers has ended, also between two runs. */
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
