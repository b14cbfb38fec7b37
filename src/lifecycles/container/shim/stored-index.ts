/** The stored index: used if it is fresh, else rebuilt. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { RandomAccess, ShimHost } from '../../../platform/shim-host.ts';
import type { ContainerFacts, IndexedFile } from '../hooksd/hook-file.ts';
import { pathTrust } from '../hooksd/path-trust.ts';
import { distrust } from '../hooksd/trust.ts';
import { guardsHold } from '../index/index-watch.ts';
import { readIndex, type IndexQuestion } from '../index/hook-index.ts';

/** The candidate hook files. Throws a LifehookError if no container may be started. */
export async function hookFilesFor(
  host: ShimHost,
  { path, question }: { path: string; question: IndexQuestion },
  facts: ContainerFacts,
): Promise<readonly IndexedFile[]> {
  const stored = await openStored(host, path, question);
  try {
    const index = stored && (await readIndex(stored, question, host.fingerprints));
    if (index !== null && (await guardsHold(host.files, index.guards, question))) {
      refuseIfNeeded(index.refusals);
      return await index.candidates(facts);
    }
  } catch (error) {
    // The line was lost from the file in a power failure.
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    stored?.close();
  }
  const { clock, fingerprints } = host;
  const files = { ...host.files, replace: host.replaceUnsynced };
  const { rebuildIndex } = await import('./seldom.ts');
  const built = await rebuildIndex(path, { files, clock, fingerprints, ...question });
  refuseIfNeeded(built.refusals);
  return built.files;
}

function refuseIfNeeded(refusals: readonly Problem[]): void {
  if (refusals.length > 0) throw new LifehookError(refusals);
}

/** null: there is none, or it is not trusted. */
async function openStored(
  host: ShimHost,
  path: string,
  question: IndexQuestion,
): Promise<RandomAccess | null> {
  try {
    const untrusted =
      (await pathTrust(host.files, question).above(path)) ??
      distrust(path, await host.files.stat(path), question);
    return untrusted === undefined ? await host.openRead(path) : null;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}
