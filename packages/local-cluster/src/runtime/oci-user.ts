/**
 * Finds the user that a container runs as: that of the pod, else that of the image ("1000", "web:www") with
 * the groups of the pod.
 *
 * Names are looked up in the image's /etc/passwd and /etc/group.
 */
import { fromLabels } from '../../../../src/platform/container-labels.ts';
import { StartError, type ContainerSpec } from '../../../../src/platform/container-runtime.ts';
import { codeOf, isSystemFailure } from '../../../../src/platform/posix-error.ts';
import type { Supervisors } from '../../../../src/platform/supervision.ts';
import type { ProgramUser } from '../../../../src/platform/supervisor-host.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import {
  type ContainerOrder,
  readRecord,
  SOCKET_NAME,
} from '../../../../src/supervisor/records.ts';
import { containersFolder } from './runtime-world.ts';

export async function findUser(
  files: Files,
  { user, image, groups }: UserChoice,
): Promise<ProgramUser> {
  if (user !== null) return user;
  const found = await imageUser(files, image);
  if (groups === undefined) return found;
  const { gid, more } = groups;
  return { ...found, gid: gid ?? found.gid, groups: [...found.groups, ...more] };
}

type UserChoice = Pick<ContainerSpec, 'user' | 'groups' | 'image'>;

async function imageUser(
  files: Files,
  { rootPath, reference, config }: ContainerSpec['image'],
): Promise<ProgramUser> {
  if (config.user === null || config.user === '') return { uid: 0, gid: 0, groups: [] };
  const [name = '', group] = config.user.split(':');
  const users = await readRows(files, rootPath, 'passwd');
  const groups = await readRows(files, rootPath, 'group');
  const { login, uid, mainGroup } = rowOf(users, name);
  const gid = group === undefined ? mainGroup : groupOf(groups, group);
  if (uid === null) throw unknown('user', name, reference);
  if (gid === null) throw unknown('group', group ?? '', reference);
  return { uid, gid, groups: groupsOf(groups, login) };
}

interface User {
  readonly login: string | undefined;
  readonly uid: number | null;
  readonly mainGroup: number | null;
}

/** The user with this name or uid. A uid is valid even if no row has it. */
function rowOf(rows: readonly Row[], name: string): User {
  const row = rows.find(([login, , id]) => login === name || id === name);
  const [login, , id = name, mainGroup = '0'] = row ?? [];
  return { login, uid: numberOf(id), mainGroup: numberOf(mainGroup) };
}

/** The groups with the user as a member. */
function groupsOf(rows: readonly Row[], login: string | undefined): readonly number[] {
  if (login === undefined) return [];
  return rows
    .filter(([, , , members = '']) => members.split(',').includes(login))
    .flatMap(([, , id = '']) => numberOf(id) ?? []);
}

type Row = readonly string[];

function groupOf(rows: readonly Row[], group: string): number | null {
  const found = rows.find(([name]) => name === group);
  return numberOf(found?.[2] ?? group);
}

function numberOf(text: string): number | null {
  return /^\d{1,10}$/.test(text) ? Number(text) : null;
}

/** Rows of passwd(5) or group(5). If the image has no such file, only numbers work. */
async function readRows(files: Files, rootPath: string | null, name: string): Promise<Row[]> {
  try {
    return (await files.read(`${rootPath ?? ''}/etc/${name}`))
      .split('\n')
      .map((line) => line.split(':'));
  } catch (error) {
    if (isSystemFailure(error)) throw error;
    return [];
  }
}

function unknown(what: string, name: string, reference: string): StartError {
  return new StartError(
    'CreateContainerConfigError',
    `The image ${reference} names the ${what} ${JSON.stringify(name)}, but its files /etc/passwd and /etc/group give no number for it. Set runAsUser in the pod.`,
  );
}

/**
 * Parameters of the search for running containers of an image. The search reads the directories of the cluster's
 * runtimes, changes nothing, and works even if the cluster is down.
 */
interface UserSearch {
  readonly files: Files;
  readonly supervisors: Pick<Supervisors, 'connect'>;
  /** State directories of the runtimes. One that does not exist has no containers. */
  readonly stateFolders: readonly string[];
}

/** Names of the running containers for messages, such as "container app of pod default/web". */
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

/**
 * The `order` record of a container that runs or is about to start, else null. A supervisor listens until its container
 * has exited.
 */
async function runningOrder(
  { files, supervisors }: UserSearch,
  folder: string,
): Promise<ContainerOrder | null> {
  const order = await readRecord(files, folder, 'order');
  if (order === null || (await readRecord(files, folder, 'exit')) !== null) return null;
  try {
    (await supervisors.connect(`${folder}/${SOCKET_NAME}`)).close();
    return order;
  } catch (error) {
    if (isSystemFailure(error)) throw error;
    // The queue of the socket is full, so its supervisor listens.
    return codeOf(error) === 'EAGAIN' ? order : null;
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
