/** The index where it lies: used if it is fresh, else made anew and, where that is allowed, stored. */
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { distrust } from '../hooksd/trust.ts';
import { buildIndex, readIndex, type HookIndex, type IndexOptions } from './hook-index.ts';

export async function currentIndex(path: string, options: IndexOptions): Promise<HookIndex> {
  const stored = await readStored(path, options);
  const index = stored === null ? null : readIndex(stored, options);
  if (index !== null) return index;
  const built = await buildIndex(options);
  try {
    await storeIndex(options.files, path, built);
  } catch (error) {
    // Who may not write there pays for the reading each time, and has the same hooks.
    if (codeOf(error) === null) throw error;
  }
  return built;
}

export async function storeIndex(files: Files, path: string, { text }: HookIndex): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  await files.makeFolder(folder, folderMode);
  await files.replace(path, text, { mode: indexMode });
}

const folderMode = 0o755;
/** Hooks may carry secrets in their environments. */
const indexMode = 0o600;

/** null: there is none, or not one to be trusted. */
async function readStored(path: string, options: IndexOptions): Promise<string | null> {
  try {
    const untrusted = distrust(path, await options.files.stat(path), options);
    return untrusted === undefined ? await options.files.read(path) : null;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}
