/** One digest for what many files hold: names, x bits and contents, and no times; some of them are read at once. */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';

/** Of a larger file its size and time stand for its content, bytes. */
export const MAX_READ_BYTES = 67_108_864;

const EXECUTABLE = 0o111;

/** `paths` absolute and sorted; names count as they are below `folder`. Hex. */
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

/** What is gone, or can't be read, is told apart from what is empty. */
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

/** Files that are looked at or read at once, so that what waits for the disk does not wait in line; the machine reads four. */
export const FILES_AT_ONCE = 16;

/** In the order of `items`. Rejects with the first that does; what runs then ends by itself. */
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
