/** Connections of the node to the supervisor of a container. */
import { StartError } from '../../../../src/platform/container-runtime.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import { errorText } from '../../../../src/platform/error-text.ts';
import { codeOf, isSystemFailure } from '../../../../src/platform/posix-error.ts';
import { SOCKET_NAME } from '../../../../src/supervisor/records.ts';
import type { KeptPlace } from './kept-container.ts';

type Place = Pick<KeptPlace, 'world' | 'folder'>;

export function connectTo({ world, folder }: Place): Promise<SupervisorConnection> {
  return world.supervisors.connect(`${folder}/${SOCKET_NAME}`);
}

/** Rejects with `StartError`, also if the container has ended. */
export async function connectForSession(
  place: Place & Pick<KeptPlace, 'order' | 'report'>,
): Promise<SupervisorConnection> {
  try {
    return await connectTo(place);
  } catch (error) {
    const { id } = place.order;
    const why = showsNoSupervisor(error)
      ? `container not running (${id})`
      : `the supervisor of container ${id} cannot be reached: ${errorText(error)}. The container may still run. ${nextStep(error, place)}`;
    throw new StartError('StartError', why);
  }
}

/**
 * Whether a failed connection shows that no supervisor serves the socket: it has exited, or never started. Any other
 * failure says nothing about the supervisor, so the container may run.
 */
export function showsNoSupervisor(error: unknown): boolean {
  return NO_SUPERVISOR_CODES.includes(codeOf(error));
}

/** ENOTSOCK: the path is a plain file, which Linux reports with ECONNREFUSED. */
const NO_SUPERVISOR_CODES: readonly (string | null)[] = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'];

function nextStep(error: unknown, { folder, report }: Place & Pick<KeptPlace, 'report'>): string {
  if (isSystemFailure(error)) return 'Retry when the machine has free file descriptors and memory';
  // The queue of the socket is full: the supervisor accepts no connections.
  if (codeOf(error) === 'EAGAIN') {
    const pid = report?.supervisor.pid ?? 'PID';
    return `Retry, and if the supervisor (process ${pid}) is paused, continue it with kill -CONT ${pid}`;
  }
  return `Check the rights of its socket ${folder}/${SOCKET_NAME}, and retry`;
}
