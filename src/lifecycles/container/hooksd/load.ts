/** Hook folders as they are now, and whether a container may be started with them. */
import type { Problem } from '../../../model/problem.ts';
import { resolveScans, type LoadedSet } from './resolve.ts';
import { scanFolders, type ScanOptions } from './scan.ts';

export interface LoadPolicy {
  /** refuse: as Podman and CRI-O at start, one bad file stops everything. skip: the others still load. */
  readonly badFiles: 'skip' | 'refuse';
  /** What to do when a hook's program is missing; upstream skips, silently. */
  readonly brokenHooks: 'skip' | 'fail';
}

export async function loadHooks(options: ScanOptions): Promise<LoadedSet> {
  return resolveScans(await scanFolders(options), new Map());
}

/** The problems that have to stop a start under this policy; none: go on. */
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
