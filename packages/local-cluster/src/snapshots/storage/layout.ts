/** Where cuts lie: beside what they were cut from, in a folder of their own. Pure. */
import type { Files } from '../../../../../src/platform/platform.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { Method } from './ways.ts';
import type { Proof } from './one-moment.ts';

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

/** What is written down beside a cut: that it was begun, and, when it has ended, how and when. */
interface CutRecord {
  readonly source: string;
  readonly startedAtMs: number;
  /** Both or none. */
  readonly method?: Method;
  readonly cutAtMs?: number;
  /** Of a cut made file by file: whether it is of one moment. */
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

/** null: there is none, or the cut has not ended. */
export async function readRecord(files: Files, target: string): Promise<EndedCut | null> {
  try {
    const text = await files.read(recordPath(target));
    const { method, cutAtMs, proof = null } = JSON.parse(text) as CutRecord;
    if (method === undefined || cutAtMs === undefined) return null;
    // A copy has ended when it is known whether it is of one moment.
    return method !== 'btrfs' && proof === null ? null : { method, cutAtMs, proof };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
