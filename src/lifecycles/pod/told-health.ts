/**
 * The health in the API status of a container that a restarted node finds running: it stays started and ready until a
 * probe fails, as with a kubelet (KEP-4781). Pure.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { RunningContainer } from '../../platform/container-runtime.ts';

export interface ToldHealth {
  readonly ready: boolean;
}

/**
 * null: the status does not say that it has started, so its postStart hook or its startup probe may be pending. Reads
 * only the status of this run: the container id has its number.
 */
export function toldHealth({ status }: Pod, { id }: RunningContainer): ToldHealth | null {
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  const told = [...initContainerStatuses, ...containerStatuses].find(({ containerID = '' }) =>
    containerID.endsWith(`://${id}`),
  );
  if (told?.state?.running === undefined || told.started !== true) return null;
  return { ready: told.ready };
}
