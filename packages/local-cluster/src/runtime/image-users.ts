/**
 * Finds the running containers of an image from the directories of the cluster's runtimes, whether the cluster is up or
 * not. Changes nothing.
 */
import { fromLabels } from '../../../../src/platform/container-labels.ts';
import type { Supervisors } from '../../../../src/platform/supervision.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import {
  readRecord,
  SOCKET_NAME,
  type ContainerOrder,
} from '../../../../src/supervisor/records.ts';
import { containersFolder } from './runtime-world.ts';

export interface UserSearch {
  readonly files: Files;
  readonly supervisors: Pick<Supervisors, 'connect'>;
  /** The state directories of the runtimes; one that does not exist has no containers. */
  readonly stateFolders: readonly string[];
}

/** Names for messages: "container app of pod default/web". */
export async function imageUsers(imageId: string, search: UserSearch): Promise<readonly string[]> {
  const users: string[] = [];
  for (const stateFolder of search.stateFolders) {
    const root = containersFolder({ stateFolder });
    for (const name of await listOrNothing(search.files, root)) {
      const order = await runningOrder(search, `${root}/${name}`);
      if (order?.imageId === imageId) users.push(nameOf(order));
    }
  }
  return users.toSorted();
}

/** null: it neither runs nor is about to start. A container's supervisor listens until the container has ended. */
async function runningOrder(
  { files, supervisors }: UserSearch,
  folder: string,
): Promise<ContainerOrder | null> {
  const order = await readRecord(files, folder, 'order');
  if (order === null || (await readRecord(files, folder, 'exit')) !== null) return null;
  try {
    (await supervisors.connect(`${folder}/${SOCKET_NAME}`)).close();
    return order;
  } catch {
    return null;
  }
}

function nameOf({ id, labels }: ContainerOrder): string {
  const identity = fromLabels(labels);
  if (identity === null) return `container ${id}`;
  const { container, namespace, pod } = identity;
  return `container ${container} of pod ${namespace}/${pod}`;
}

async function listOrNothing(files: Files, folder: string): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
