import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';

/**
 * Whether no process of the pod runs and none can start any more. A deletion timestamp does not prove that, and a node
 * that does not respond may still run it (phase Unknown).
 */
export function isFinished(pod: Pod): boolean {
  const { phase } = pod.status ?? {};
  const running = statusesOf(pod).some(({ state }) => state?.running !== undefined);
  if (phase === 'Succeeded') return true;
  // The pod garbage collector sets Failed if the node is lost; the states of the containers stay unchanged.
  if (phase === 'Failed') return !running || isForgotten(pod);
  if (running || phase === 'Unknown') return false;
  return haveAllEnded(pod) || isForgotten(pod) || getsNoNode(pod);
}

/** The final deletion, with grace 0: the node has confirmed it, or there is no such node. We never request it. */
function isForgotten(pod: Pod): boolean {
  return isTerminating(pod) && pod.metadata?.deletionGracePeriodSeconds === 0;
}

/** The server binds no pod that is being deleted. */
function getsNoNode(pod: Pod): boolean {
  return isTerminating(pod) && pod.spec?.nodeName === undefined;
}

/** Its phase may follow later. */
function haveAllEnded({ spec, status }: Pod): boolean {
  const { containerStatuses = [] } = status ?? {};
  const expected = spec?.containers.length ?? 0;
  return (
    expected > 0 &&
    containerStatuses.length >= expected &&
    containerStatuses.every(({ state }) => state?.terminated !== undefined)
  );
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  return [
    ...containerStatuses,
    ...initContainerStatuses,
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}
