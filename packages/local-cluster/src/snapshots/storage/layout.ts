/** Where cuts lie: beside what they were cut from, in a folder of their own. Pure. */

export const SNAPSHOTS_FOLDER = '.lifehook-snapshots';

/** The root of a btrfs subvolume has this inode number; other filesystems may have it by chance. */
export const SUBVOLUME_INODE = 256;

export function parentOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

/** "/data/volumes" for what is cut there. */
export function besideFolder(source: string): string {
  const parent = parentOf(source);
  return `${parent === '/' ? '' : parent}/${SNAPSHOTS_FOLDER}`;
}

/** Within a subvolume that is a mount point: a cut leaves other subvolumes out. */
export function insideFolder(source: string): string {
  return `${source}/${SNAPSHOTS_FOLDER}`;
}

/** A path without a slash at its end and without steps up: what else is no place of ours. */
export function cleanPath(path: string): string | null {
  if (!path.startsWith('/')) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? null : `/${parts.join('/')}`;
}

/** The cut that a handle lies in; null: the handle is none of ours, and nothing is removed for it. */
export function cutOf(handle: string): string | null {
  const path = cleanPath(handle);
  const marker = `/${SNAPSHOTS_FOLDER}/`;
  const start = path?.lastIndexOf(marker) ?? -1;
  if (path === null || start === -1) return null;
  const [name = ''] = path.slice(start + marker.length).split('/');
  return path.slice(0, start + marker.length) + name;
}
