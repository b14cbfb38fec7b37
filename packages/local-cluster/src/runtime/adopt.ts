/**
 * Adopts the containers that a starting node finds in the directory of its runtime (POD-R1, POD-R2).
 *
 *   no `order` record              no process was ever started: removed
 *   order, never had a supervisor  never started: removed, and no supervisor can claim it any more
 *   a supervisor answers           adopted, in whatever state it is
 *   the supervisor has exited      ended as recorded; without a record its processes are killed, and its end is unknown
 */
import { codeOf } from '../../../../src/platform/posix-error.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import { readRecord, readStart, SOCKET_NAME } from '../../../../src/supervisor/records.ts';
import {
  bury,
  KeptContainer,
  removeDoomed,
  removeFolder,
  REMOVED_PREFIX,
  type KeptPlace,
  type Runner,
} from './kept-container.ts';
import { containersFolder, FOLDER_MODE, type RuntimeWorld } from './runtime-world.ts';
import { connectTo } from './supervisor-link.ts';

export async function adoptAll(world: RuntimeWorld, runner: Runner): Promise<KeptContainer[]> {
  const { files } = world.platform;
  const root = containersFolder(world);
  await files.makeFolder(root, FOLDER_MODE);
  const adopted: KeptContainer[] = [];
  const names = await files.list(root);
  const adoptNext = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const container = await look(world, runner, `${root}/${name}`);
      if (container !== null) adopted.push(container);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, adoptNext));
  return adopted;
}

/**
 * Number of containers that are adopted in parallel. Each one waits briefly for its supervisor, and there can be many.
 */
const AT_ONCE = 16;

async function look(
  world: RuntimeWorld,
  runner: Runner,
  folder: string,
): Promise<KeptContainer | null> {
  if (!folder.includes(`/${REMOVED_PREFIX}`)) return adopt(world, runner, folder);
  await removeDoomed(world, folder);
  return null;
}

async function adopt(
  world: RuntimeWorld,
  runner: Runner,
  folder: string,
): Promise<KeptContainer | null> {
  const { files } = world.platform;
  const order = await readRecord(files, folder, 'order');
  if (order === null) {
    await removeFolder({ world, folder });
    return null;
  }
  const place: KeptPlace = { world, folder, order, report: null };
  if ((await readRecord(files, folder, 'exit')) !== null) return adoptEnded(runner, place);
  const reach = await reachSupervisor(place);
  if (reach === 'never') return forget(runner, place);
  if (reach !== 'gone') await waitForReport(place, reach);
  const report = await readStart(files, folder);
  const known = { ...place, report };
  // A supervisor that exited without a report has failed to start the container. No caller has ever got that failure.
  if (report === null) return reach === 'gone' ? adoptEnded(runner, known) : forget(runner, known);
  if (reach === 'gone') return adoptEnded(runner, known);
  if (await runner.neverBegan(known)) return forget(runner, known);
  return new KeptContainer(runner, known, null);
}

/** Adopts a container that has exited. Its end is recorded here if the supervisor did not record it. */
async function adoptEnded(
  runner: Runner,
  { world, folder, order }: KeptPlace,
): Promise<KeptContainer> {
  const report = await readStart(world.platform.files, folder);
  const place = { world, folder, order, report };
  return new KeptContainer(runner, place, await bury(runner, place));
}

/** Removes the container, so that the caller can start it anew. */
async function forget(runner: Runner, place: KeptPlace): Promise<null> {
  await runner.destroy(place);
  await removeFolder(place);
  return null;
}

const FULL_QUEUE_PAUSE_MS = 10;

/**
 * Connects to the supervisor. It accepts connections as soon as its socket exists, so a refusal means that it has
 * exited. Rejects after any other failure, since the container may run.
 */
async function reachSupervisor(place: KeptPlace): Promise<SupervisorConnection | 'never' | 'gone'> {
  try {
    return await connectTo(place);
  } catch (error) {
    // The socket's path is the plain file that `bar` creates.
    if (codeOf(error) === 'ENOTSOCK') return 'never';
    // The supervisor has not started yet, unless it has created its socket just now.
    if (codeOf(error) === 'ENOENT') return (await bar(place)) ? 'never' : reachSupervisor(place);
    // The queue of the socket is full.
    if (codeOf(error) === 'EAGAIN') {
      await sleep(place.world.platform.timers, FULL_QUEUE_PAUSE_MS);
      return reachSupervisor(place);
    }
    if (codeOf(error) !== 'ECONNREFUSED') throw error;
  }
  return (await isBarred(place)) ? 'never' : 'gone';
}

/**
 * Creates a file at the socket's path, so that a supervisor that is just starting cannot start the container and exits.
 */
async function bar({ world, folder }: KeptPlace): Promise<boolean> {
  try {
    await world.platform.files.create(`${folder}/${SOCKET_NAME}`, '', 0o600);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isBarred({ world, folder }: KeptPlace): Promise<boolean> {
  return (await world.platform.files.stat(`${folder}/${SOCKET_NAME}`)).kind === 'file';
}

const reportPollMs = 5;

/** Resolves once there is a report, or once the supervisor has exited. */
async function waitForReport(
  { world, folder }: KeptPlace,
  connection: SupervisorConnection,
): Promise<void> {
  const { files, timers } = world.platform;
  const exited = { yet: false };
  void reportEnd(connection, exited);
  while (!exited.yet && (await readRecord(files, folder, 'report')) === null) {
    await sleep(timers, reportPollMs);
  }
  connection.close();
}

async function reportEnd(
  { incoming }: SupervisorConnection,
  exited: { yet: boolean },
): Promise<void> {
  for await (const _ of incoming);
  exited.yet = true;
}
