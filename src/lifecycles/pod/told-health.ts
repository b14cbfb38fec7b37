/**
 * What the API was told of a container that a restarted node finds running: what was started and ready
 * stays so until a probe says otherwise, as with a kubelet (KEP-4781). Pure.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { RunningContainer } from '../../platform/container-runtime.ts';

export interface ToldHealth {
  readonly ready: boolean;
}

/**
 * null: it was not told to have started, so its postStart hook or its startup probe may still be to
 * come. Only of this very run: the id has its number.
 */
export function toldHealth({ status }: Pod, { id }: RunningContainer): ToldHealth | null {
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  const told = [...initContainerStatuses, ...containerStatuses].find(({ containerID = '' }) =>
    containerID.endsWith(`://${id}`),
  );
  if (told?.state?.running === undefined || told.started !== true) return null;
  return { ready: told.ready };
}
