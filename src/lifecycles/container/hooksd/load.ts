/** Loads the current hook directories, and decides whether their problems prevent the start of containers. */
import type { Problem } from '../../../model/problem.ts';
import { resolveScans, type LoadedSet } from './resolve.ts';
import { scanFolders, type ScanOptions } from './scan.ts';

export interface LoadPolicy {
  /** refuse: one bad file prevents every start, as in Podman and CRI-O. skip: the other files still load. */
  readonly badFiles: 'skip' | 'refuse';
  /** The effect of a missing hook program; Podman and CRI-O skip such a hook silently. */
  readonly brokenHooks: 'skip' | 'fail';
}

export async function loadHooks(options: ScanOptions): Promise<LoadedSet> {
  return resolveScans(await scanFolders(options), new Map());
}

/** The problems that must prevent a start under this policy; none: start. */
export function refusalsOf(set: LoadedSet, policy: LoadPolicy): Problem[] {
  const bad = policy.badFiles === 'refuse';
  const broken = policy.brokenHooks === 'fail';
  const ofFolders = set.problems.filter(
    ({ at, severity }) => severity === 'error' && set.failedFolders.includes(at?.file ?? ''),
  );
  const ofFiles = set.entries.filter(
    ({ state }) => (bad && state === 'bad') || (broken && state === 'broken'),
  );
  return [...(bad ? ofFolders : []), ...ofFiles.flatMap(({ problems }) => problems)];
}
