/** Connections of the node to the supervisor of a container. */
import { StartError } from '../../../../src/platform/container-runtime.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import { errorText } from '../../../../src/platform/error-text.ts';
import { codeOf, isSystemFailure } from '../../../../src/platform/posix-error.ts';
import { SOCKET_NAME, type ContainerOrder } from '../../../../src/supervisor/records.ts';
import type { RuntimeWorld } from './runtime-world.ts';

interface Place {
  readonly world: RuntimeWorld;
  /** Directory of the container. */
  readonly folder: string;
}

export function connectTo({ world, folder }: Place): Promise<SupervisorConnection> {
  return world.supervisors.connect(`${folder}/${SOCKET_NAME}`);
}

/** Rejects with `StartError`, also if the container has ended. */
export async function connectForSession(
  place: Place & { readonly order: ContainerOrder },
): Promise<SupervisorConnection> {
  try {
    return await connectTo(place);
  } catch (error) {
    const { id } = place.order;
    const why = isBusy(error)
      ? `the supervisor of container ${id} cannot be reached: ${errorText(error)}`
      : `container not running (${id})`;
    throw new StartError('StartError', why);
  }
}

/** Whether a failed connection says nothing about the supervisor: resources are short, or its queue is full. */
export function isBusy(error: unknown): boolean {
  return isSystemFailure(error) || codeOf(error) === 'EAGAIN';
}
