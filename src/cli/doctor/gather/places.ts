/** The directories that we write to: whether that works, what is free there, and what they contain. */
import { constants } from 'node:fs';
import { access, lstat, readdir, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { spoolFolder } from '../../../lifecycles/container/life/life.ts';
import { DEFAULT_SETTINGS } from '../../../lifecycles/container/shim/runtime-settings.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ClusterChoice } from '../../cluster/cluster-options.ts';
import { stateFolderOf } from '../../cluster/cluster-state.ts';
import { lifeRoot } from '../../life-options.ts';
import type { Place } from '../facts.ts';

/** Files that are counted in one directory; a bigger one is reported as "more than". */
const FILES_MAX = 50_000;

export async function gatherPlaces(choice: ClusterChoice): Promise<readonly Place[]> {
  const wanted = [
    { role: 'state of the local cluster', path: stateFolderOf(choice) },
    { role: 'records of container hooks', path: spoolFolder(lifeRoot({})) },
    { role: 'records of lifehook-runtime', path: DEFAULT_SETTINGS.spool, onlyIfThere: true },
    { role: 'state of the pipeline', path: resolve('.lifehook'), onlyIfThere: true },
  ];
  const paths = wanted.map(({ path }) => path);
  // For root the records of containers and those of the runtime are in one directory.
  const once = wanted.filter(({ path }, index) => paths.indexOf(path) === index);
  const places = await Promise.all(once.map(placeOf));
  return places.filter((place) => place !== null);
}

interface Wanted {
  readonly role: string;
  readonly path: string;
  readonly onlyIfThere?: boolean;
}

async function placeOf({ role, path, onlyIfThere = false }: Wanted): Promise<Place | null> {
  const used = await usageOf(path);
  if (used === null && onlyIfThere) return null;
  const there = await firstThatExists(path);
  const refused = await access(there, constants.W_OK | constants.X_OK).then(
    () => null,
    (error: unknown) => codeOf(error) ?? String(error),
  );
  const { bavail, blocks, bsize } = await statfs(there);
  const isDirectory = (await lstat(there)).isDirectory() || there !== path;
  return {
    role,
    path,
    refused: isDirectory ? refused : 'ENOTDIR',
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    used,
  };
}

/** The path itself, else the parent in which it would be made. */
async function firstThatExists(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const exists = await lstat(at).then(
      () => true,
      () => false,
    );
    if (exists || at === dirname(at)) return at;
  }
}

/** null: it does not exist. What cannot be read, or disappears meanwhile, is not counted. */
async function usageOf(path: string): Promise<Place['used']> {
  const used = { bytes: 0, files: 0, isWhole: true };
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      return at === path && codeOf(error) === 'ENOENT' ? null : [];
    });
    if (entries === null) return null;
    for (const entry of entries) {
      if (used.files >= FILES_MAX) return { ...used, isWhole: false };
      const inside = join(at, entry.name);
      if (entry.isDirectory()) {
        open.push(inside);
        continue;
      }
      used.files += 1;
      used.bytes += await lstat(inside).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      );
    }
  }
  return used;
}
