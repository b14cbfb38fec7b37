/** One digest for what many files hold: names, x bits and contents, and no times. */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';
import { FILES_AT_ONCE, mapAtOnce } from './at-once.ts';

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
