/**
 * Computes one digest for many files: their names, x bits and contents, but not their times. Several files are read in
 * parallel.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';

/** Bytes; a larger file is represented by its size and time instead of its content. */
export const MAX_READ_BYTES = 67_108_864;

const EXECUTABLE = 0o111;

/** A hex digest. `paths` are absolute and sorted; the digest has their names relative to `folder`. */
export async function digestFiles(
  paths: readonly string[],
  folder: string,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<string> {
  const rows = await mapAtOnce(paths, FILES_AT_ONCE, async (path) => {
    const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
    return JSON.stringify([name, ...(await contentOf(path, files))]);
  });
  return sha256(rows.join('\n'));
}

/** The content of a file, for the digest. A missing or unreadable file differs from an empty one. */
async function contentOf(
  path: string,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<readonly string[]> {
  try {
    const { kind, size, mode, mtimeMs } = await files.stat(path);
    if (kind !== 'file') return [kind];
    const bits = (mode & EXECUTABLE) === 0 ? '-' : 'x';
    if (size > MAX_READ_BYTES) return [bits, `${size} bytes of ${mtimeMs}`];
    return [bits, sha256(await files.read(path))];
  } catch {
    return ['unreadable'];
  }
}

/** Maximum number of files read in parallel: enough to keep the disk busy; the thread pool reads four. */
export const FILES_AT_ONCE = 16;

/**
 * The results, in the order of `items`. Rejects with the first rejection; the other calls go on, also with further
 * items.
 */
export async function mapAtOnce<T, U>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  results.length = items.length;
  const left = items.entries();
  const workNext = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workNext));
  return results;
}
