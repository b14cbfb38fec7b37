/** The paths of cuts: next to their source, in a directory of their own. Pure. */
import type { Files } from '../../../../../src/platform/platform.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { Method } from './ways.ts';
import type { Proof } from './one-moment.ts';

export const SNAPSHOTS_FOLDER = '.lifehook-snapshots';

/** The inode number of the root of a btrfs subvolume; on other file systems an ordinary directory may have it. */
export const SUBVOLUME_INODE = 256;

export function parentOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

/** The directory for cuts, next to the source. */
export function besideFolder(source: string): string {
  const parent = parentOf(source);
  return `${parent === '/' ? '' : parent}/${SNAPSHOTS_FOLDER}`;
}

/** A directory inside a subvolume that is a mount point; a cut excludes other subvolumes. */
export function insideFolder(source: string): string {
  return `${source}/${SNAPSHOTS_FOLDER}`;
}

/** The absolute path without trailing slash; null for a path with "..", a relative path, and "/". */
export function cleanPath(path: string): string | null {
  if (!path.startsWith('/')) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? null : `/${parts.join('/')}`;
}

/** The cut that contains the handle; null: the handle is not ours, and nothing may be removed for it. */
export function cutOf(handle: string): string | null {
  const path = cleanPath(handle);
  const marker = `/${SNAPSHOTS_FOLDER}/`;
  const start = path?.lastIndexOf(marker) ?? -1;
  if (path === null || start === -1) return null;
  const [name = ''] = path.slice(start + marker.length).split('/');
  return path.slice(0, start + marker.length) + name;
}

/** The record next to a cut: its start, and, once it has ended, its method and time. */
interface CutRecord {
  readonly source: string;
  readonly startedAtMs: number;
  /** `method` and `cutAtMs` are both present or both absent. */
  readonly method?: Method;
  readonly cutAtMs?: number;
  /** Only for a copy made file by file: whether all files are of the same moment. */
  readonly proof?: Proof | null;
}

const MODE = 0o600;

export function recordPath(target: string): string {
  return `${target}.json`;
}

export async function writeRecord(files: Files, target: string, record: CutRecord): Promise<void> {
  await files.replace(recordPath(target), JSON.stringify(record), { mode: MODE });
}

interface EndedCut {
  readonly method: Method;
  readonly cutAtMs: number;
  readonly proof: Proof | null;
}

/** null: there is no record, or the cut has not ended. */
export async function readRecord(files: Files, target: string): Promise<EndedCut | null> {
  try {
    const text = await files.read(recordPath(target));
    const { method, cutAtMs, proof = null } = JSON.parse(text) as CutRecord;
    if (method === undefined || cutAtMs === undefined) return null;
    // A copy has ended once it is proven or disproven that it is of one moment.
    return method !== 'btrfs' && proof === null ? null : { method, cutAtMs, proof };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
