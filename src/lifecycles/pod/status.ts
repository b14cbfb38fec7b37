/** The status of a pod in the API: phase, conditions and containers, from the same facts as the decision. Pure. */
import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';

import { conditionsOf } from './conditions.ts';
import { initialized, type PodDecision } from './decide.ts';
import { containerStatus, type StatusOfContainer } from './container-status.ts';
import type { ContainerFacts, ContainerLife, PodFacts } from './facts.ts';
import type { ResizeState } from './resize.ts';
import { toTime } from './status-time.ts';

export interface StatusFacts {
  readonly facts: PodFacts;
  readonly decision: Pick<PodDecision, 'over' | 'going'>;
  readonly containers: readonly StatusOfContainer[];
  readonly resize: ResizeState | null;
  readonly podIp: string | null;
  readonly hostIp: string;
  /** The last reported status; times of unchanged conditions are kept. */
  readonly before: PodStatus;
}

export function podStatus(telling: StatusFacts): PodStatus {
  const { facts, podIp, hostIp, before, decision } = telling;
  const phase = phaseOf(telling);
  const statuses = telling.containers.map((container) => {
    const status = containerStatus(container, facts.pod);
    return isLost(container.facts, telling) ? { ...status, state: LOST } : status;
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
    startTime: before.startTime ?? toTime(facts.podStartedAtMs),
    ...(before.qosClass === undefined ? {} : { qosClass: before.qosClass }),
    conditions: conditionsOf(telling, phase === 'Failed' && neverRan(telling) ? 'Pending' : phase),
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
  const over = decision.over && decision.going !== null;
  return over && role === 'main' && state.kind !== 'ended' && initialized(facts);
}

/** A kubelet fails such a pod when it is deleted, and keeps its conditions. */
function neverRan(telling: StatusFacts): boolean {
  const deleted = telling.decision.going?.reason === 'Deleted';
  return deleted && telling.facts.containers.some((container) => isLost(container, telling));
}

function reasonOf({ going }: StatusFacts['decision']): Pick<PodStatus, 'reason' | 'message'> {
  if (going?.reason !== 'DeadlineExceeded') return {};
  return { reason: going.reason, message: going.message };
}

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** A pod that has run stays Running until the last of its containers has ended, also between two runs. */
function phaseOf({ facts, decision, before }: StatusFacts): Phase {
  const mains = facts.containers.filter(({ role }) => role === 'main');
  if (decision.over && decision.going !== null) {
    const { reason } = decision.going;
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
