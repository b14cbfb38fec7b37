import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { isGoing } from '../../../controller/finalizers.ts';

/**
 * No process of the pod is alive, and none can begin any more. That a pod was deleted says nothing, and a
 * node that does not answer may run it still (phase Unknown).
 */
export function isGone(pod: Pod): boolean {
  const { phase } = pod.status ?? {};
  const running = statusesOf(pod).some(({ state }) => state?.running !== undefined);
  if (phase === 'Succeeded') return true;
  // The garbage collector of pods says Failed where the node is lost; the containers' states stay as they were.
  if (phase === 'Failed') return !running || isForgotten(pod);
  if (running || phase === 'Unknown') return false;
  return haveAllEnded(pod) || isForgotten(pod) || getsNoNode(pod);
}

/** The last deletion, without grace: its node has let it go, or there is no such node. We never ask for it. */
function isForgotten(pod: Pod): boolean {
  return isGoing(pod) && pod.metadata?.deletionGracePeriodSeconds === 0;
}

/** The server binds no pod that is going. */
function getsNoNode(pod: Pod): boolean {
  return isGoing(pod) && pod.spec?.nodeName === undefined;
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
