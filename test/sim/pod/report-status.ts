/** Formats a status that the node reports as a line of a story. */
import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';

export function reportStatus({
  phase,
  initContainerStatuses = [],
  containerStatuses = [],
}: PodStatus): string {
  const all = [...initContainerStatuses, ...containerStatuses].map(ofContainer);
  return `status: pod: ${phase}; ${all.join(', ')}`;
}

function ofContainer({ name, state = {}, ready, restartCount }: ContainerStatus): string {
  const { waiting, terminated } = state;
  const exited = terminated === undefined ? 'running' : `exited with ${terminated.exitCode}`;
  const what = waiting === undefined ? exited : (waiting.reason ?? 'waiting');
  const again = restartCount === 0 ? '' : `, restart ${restartCount}`;
  return `${name} ${what}${ready ? ', ready' : ''}${again}`;
}
