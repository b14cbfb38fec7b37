/** The index where it lies: used if it is fresh, else made anew. */
import { codeOf } from '../../../platform/posix-error.ts';
import type { RandomAccess, ShimHost } from '../../../platform/shim-host.ts';
import { distrust } from '../hooksd/trust.ts';
import { readIndex, type HookIndex, type IndexQuestion } from './hook-index.ts';

/** Runs `use` on the index while its file is open. */
export async function withIndex<T>(
  host: ShimHost,
  { path, question }: { path: string; question: IndexQuestion },
  use: (index: HookIndex) => Promise<T>,
): Promise<T> {
  const stored = await openStored(host, path, question);
  try {
    const index = stored && (await readIndex(stored, question, host.fingerprints));
    if (index !== null) return await use(index);
  } finally {
    stored?.close();
  }
  return use(await rebuilt(host, path, question));
}

/** In force as read, even where the next call would find it stale: the files have just been looked at. */
async function rebuilt(host: ShimHost, path: string, question: IndexQuestion): Promise<HookIndex> {
  const { clock, fingerprints } = host;
  const files = { ...host.files, replace: host.replaceUnsynced };
  const { rebuildIndex } = await import('./seldom.ts');
  const { refusals, set } = await rebuildIndex(path, { files, clock, fingerprints, ...question });
  return { refusals, candidates: async () => [...set.active] };
}

/** null: there is none, or not one to be trusted. */
async function openStored(
  host: ShimHost,
  path: string,
  question: IndexQuestion,
): Promise<RandomAccess | null> {
  try {
    const untrusted = distrust(path, await host.files.stat(path), question);
    return untrusted === undefined ? await host.openRead(path) : null;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}
