/**
 * Resolves paths as a process with the root directory `root` would: every symbolic link is followed inside of `root`,
 * and ".." stops there. Safe while no other process changes the directory.
 */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

import { posixError } from './posix-error.ts';

/** Maximum number of symbolic links in one path. */
const linksMax = 40;

/** The real path of a directory in `root`; null: the directory does not exist. */
export function pathIn(root: string, parts: readonly string[]): string | null {
  return walk(root, parts, () => null);
}

/** The real path of a directory in `root`; missing directories are created. */
export function makeParents(root: string, parts: readonly string[]): string {
  const made = walk(root, parts, (path) => {
    fs.mkdirSync(path, folderMode);
    return path;
  });
  if (made === null) throw posixError('ENOENT', `${parts.join('/')} does not exist (ENOENT)`);
  return made;
}

const folderMode = 0o755;

function walk(
  root: string,
  parts: readonly string[],
  onMissing: (path: string) => string | null,
): string | null {
  const open = parts.filter(isStep);
  let at = root;
  let links = 0;
  for (let part = open.shift(); part !== undefined; part = open.shift()) {
    const next = step(root, at, part);
    const target = linkAt(next);
    if (target === null) {
      const entered = enter(next, onMissing);
      if (entered === null) return null;
      at = entered;
      continue;
    }
    links += 1;
    if (links > linksMax) throw posixError('ELOOP', `${part} links to itself (ELOOP)`);
    open.unshift(...target.split('/').filter(isStep));
    if (target.startsWith('/')) at = root;
  }
  return at;
}

function isStep(part: string): boolean {
  return part !== '' && part !== '.';
}

function step(root: string, at: string, part: string): string {
  if (part !== '..') return join(at, part);
  return at === root ? root : dirname(at);
}

function linkAt(path: string): string | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true ? fs.readlinkSync(path) : null;
}

function enter(path: string, onMissing: (path: string) => string | null): string | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return onMissing(path);
  if (stats.isDirectory()) return path;
  throw posixError(
    'ENOTDIR',
    `${JSON.stringify(path)} is used as a directory, but is not one (ENOTDIR)`,
  );
}
