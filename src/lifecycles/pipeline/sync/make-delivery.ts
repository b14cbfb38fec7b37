/** The files of a sync plan, read and packed for the containers. */
import type { Files } from '../../../platform/platform.ts';
import { joinPaths } from './container-path.ts';
import type { SyncPlan } from './plan-sync.ts';
import type { Archive, Delivery } from './send-files.ts';
import { type TarEntry, tarBytes } from './tar-bytes.ts';

/** All of it is in memory while it is sent; more is a matter for a build. */
export const MAX_SYNC_BYTES = 67_108_864;

/** `root`: of the container. Or why it can't be made: the end of a sentence. */
export async function makeDelivery(
  { copies, deletes }: Extract<SyncPlan, { kind: 'sync' }>,
  root: string,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<Delivery | string> {
  const entries: TarEntry[] = [];
  let bytes = 0;
  for (const { from, to } of copies) {
    const found = await files.stat(from).catch(() => null);
    if (found?.kind !== 'file') return `${from} is no longer a file`;
    bytes += found.size;
    if (bytes > MAX_SYNC_BYTES) return `what has changed is more than ${MAX_SYNC_BYTES} bytes`;
    entries.push({ name: to, mode: found.mode, content: await files.read(from) });
  }
  const below = entries.filter(({ name }) => isAbsolute(name));
  return {
    archives: [
      { folder: root, pieces: packed(below.map((one) => ({ ...one, name: one.name.slice(1) }))) },
      { folder: '.', pieces: packed(entries.filter(({ name }) => !isAbsolute(name))) },
    ].filter(({ pieces }) => pieces.length > 0),
    deletes: deletes.map((path) => (isAbsolute(path) ? joinPaths(root, path) : path)),
  };
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

function packed(entries: readonly TarEntry[]): Archive['pieces'] {
  return entries.length === 0 ? [] : tarBytes(entries);
}
