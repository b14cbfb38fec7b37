/**
 * Computes the paths of cuts, and reads and writes their records. A cut is next to its source, in a directory for cuts.
 */
import { decodeUtf8, encodeUtf8 } from '../../../../../src/platform/byte-text.ts';
import type { Files } from '../../../../../src/platform/platform.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { Method } from './ways.ts';
import type { Proof } from './one-moment.ts';

export const SNAPSHOTS_FOLDER = '.lifehook-snapshots';

/** Inode number of the root of a btrfs subvolume. On other file systems an ordinary directory may have it too. */
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

/** Directory for cuts inside a subvolume that is a mount point. As a subvolume of its own it is not part of a cut. */
export function insideFolder(source: string): string {
  return `${source}/${SNAPSHOTS_FOLDER}`;
}

/** The absolute path without a trailing slash; null for a relative path, for "/", and for a path with "..". */
export function cleanPath(path: string): string | null {
  if (!path.startsWith('/')) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? null : `/${parts.join('/')}`;
}

/** Path of the cut that contains the handle; null if the handle is not ours: then nothing may be removed. */
export function cutOf(handle: string): string | null {
  const path = cleanPath(handle);
  const marker = `/${SNAPSHOTS_FOLDER}/`;
  const start = path?.lastIndexOf(marker) ?? -1;
  if (path === null || start === -1) return null;
  const [name = ''] = path.slice(start + marker.length).split('/');
  return path.slice(0, start + marker.length) + name;
}

/** The record next to a cut. It has the start, and after the end also the method and the time. */
interface CutRecord {
  readonly source: string;
  readonly startedAtMs: number;
  /** Method of an ended cut. `method` and `cutAtMs` are both present or both absent. */
  readonly method?: Method;
  readonly cutAtMs?: number;
  /** Proof that all files are of one moment; only for a copy made file by file. */
  readonly proof?: Proof | null;
}

const MODE = 0o600;

export function recordPath(target: string): string {
  return `${target}.json`;
}

export async function writeRecord(files: Files, target: string, record: CutRecord): Promise<void> {
  await files.replace(recordPath(target), encodeUtf8(JSON.stringify(record)), { mode: MODE });
}

interface EndedCut {
  readonly method: Method;
  readonly cutAtMs: number;
  readonly proof: Proof | null;
}

/** Reads the record of a cut; null if there is none, or if the cut has not ended. */
export async function readRecord(files: Files, target: string): Promise<EndedCut | null> {
  try {
    const text = decodeUtf8(await files.read(recordPath(target)));
    const { method, cutAtMs, proof = null } = JSON.parse(text) as CutRecord;
    if (method === undefined || cutAtMs === undefined) return null;
    // A copied cut has ended only once it is proven or disproven that the copy is of one moment.
    return method !== 'btrfs' && proof === null ? null : { method, cutAtMs, proof };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
