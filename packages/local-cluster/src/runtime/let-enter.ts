/**
 * Lets a container that runs as another user enter its directories. They are in the cluster's directory, which other
 * users cannot enter by default.
 *
 *  CLUS-E1 Only x (search) is granted. No user can list a directory or read a file that was not accessible before.
 *  CLUS-E2 x is granted to the user's group; if a directory already grants x to another group, to all users.
 *  CLUS-E3 Before the cluster's directory is opened, the directories in it are closed.
 *  CLUS-E4 Directories above the cluster's belong to the machine. If one excludes the user, the start is refused.
 */
import { StartError } from '../../../../src/platform/container-runtime.ts';
import type { ProgramUser } from '../../../../src/platform/supervisor-host.ts';
import type { FileStat } from '../../../../src/platform/platform.ts';
import type { RuntimeWorld } from './runtime-world.ts';

export type EnteredWorld = Pick<RuntimeWorld, 'clusterFolder' | 'platform' | 'trees'>;

/** Grants access to `paths`. Paths outside of the cluster's directory are not changed. */
export type LetEnter = (user: ProgramUser, paths: readonly string[]) => Promise<void>;

/** Runs one call at a time: two calls for different groups would take the access from each other. */
export function makeLetEnter(world: EnteredWorld): LetEnter {
  let turn: Promise<unknown> = Promise.resolve();
  return (user, paths) => {
    const done = turn.then(() => letEnter(world, user, paths));
    turn = done.catch(() => {});
    return done;
  };
}

async function letEnter(
  world: EnteredWorld,
  user: ProgramUser,
  paths: readonly string[],
): Promise<void> {
  const { clusterFolder, platform } = world;
  await requireWayTo(world, user);
  for (const path of paths) {
    if (!path.startsWith(`${clusterFolder}/`)) continue;
    for (const folder of foldersAbove(path).filter((one) => isIn(one, clusterFolder))) {
      const stat = await platform.files.stat(folder);
      if (mayEnter(stat, user)) continue;
      if (folder === clusterFolder && !isShared(stat)) await closeAll(world);
      await world.trees.setAccess(folder, accessFor(stat, user));
    }
  }
}

/**
 * True if the user may search the directory. As in path_resolution(7), the first matching class of owner, group and
 * others decides.
 */
export function mayEnter(
  { mode, uid, gid }: Pick<FileStat, 'mode' | 'uid' | 'gid'>,
  user: Pick<ProgramUser, 'uid' | 'gid' | 'groups'>,
): boolean {
  if (user.uid === 0) return true;
  if (user.uid === uid) return (mode & OWNER_ENTERS) !== 0;
  const isMember = user.gid === gid || user.groups.includes(gid);
  return (mode & (isMember ? GROUP_ENTERS : OTHERS_ENTER)) !== 0;
}

const OWNER_ENTERS = 0o100;
const GROUP_ENTERS = 0o010;
const OTHERS_ENTER = 0o001;
const NOT_OWNER = 0o077;

function accessFor({ mode }: FileStat, { gid }: ProgramUser): { mode: number; gid?: number } {
  const isGiven = (mode & GROUP_ENTERS) !== 0;
  return isGiven ? { mode: mode | OTHERS_ENTER } : { mode: mode | GROUP_ENTERS, gid };
}

function isShared({ mode }: FileStat): boolean {
  return (mode & NOT_OWNER) !== 0;
}

async function closeAll({ platform, trees, clusterFolder }: EnteredWorld): Promise<void> {
  for (const name of await platform.files.list(clusterFolder)) {
    const path = `${clusterFolder}/${name}`;
    const stat = await platform.files.stat(path);
    if (stat.kind !== 'folder' || !isShared(stat)) continue;
    await trees.setAccess(path, { mode: stat.mode & ~NOT_OWNER });
  }
}

async function requireWayTo(
  { platform, clusterFolder }: EnteredWorld,
  user: ProgramUser,
): Promise<void> {
  for (const folder of foldersAbove(await platform.files.realPath(clusterFolder))) {
    if (mayEnter(await platform.files.stat(folder), user)) continue;
    throw new StartError(
      'CreateContainerConfigError',
      `The container must run as user ${user.uid}, who may not enter ${folder}, but the files of the container are below it, in ${clusterFolder}. Start the cluster with --state-dir in a directory that every user may enter, such as /var/lib/lifehook, or leave runAsUser out.`,
    );
  }
}

/** Directories above a path, from the root: "/", "/a" and "/a/b" for "/a/b/c". */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1);
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
}

function isIn(folder: string, clusterFolder: string): boolean {
  return folder === clusterFolder || folder.startsWith(`${clusterFolder}/`);
}
