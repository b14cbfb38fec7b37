/** The watched files at one moment, in groups of what they are files of, and what differs between two moments. Pure. */
import type { FileChanges } from '../sync/plan-sync.ts';
import { type Digest, GONE } from './contents.ts';

/** "config", "manifests", "build", "artifact/IMAGE", "test/IMAGE". */
export type GroupKey = string;

export interface Snapshot {
  /** Absolute paths. */
  readonly groups: ReadonlyMap<GroupKey, readonly string[]>;
  readonly digests: ReadonlyMap<string, Digest>;
}

const NOTHING: FileChanges = { modified: [], deleted: [] };

/** `before` null: all of it is new. What is no longer of the group counts as deleted. Sorted. */
export function changesOf(key: GroupKey, before: Snapshot | null, now: Snapshot): FileChanges {
  if (before === now) return NOTHING;
  const [old, current] = [filesOf(before, key), filesOf(now, key)];
  const modified: string[] = [];
  const deleted: string[] = [];
  for (const [path, digest] of current) {
    const was = old.get(path) ?? GONE;
    if (was === digest) continue;
    (digest === GONE ? deleted : modified).push(path);
  }
  for (const [path, digest] of old) {
    if (digest !== GONE && !current.has(path)) deleted.push(path);
  }
  return { modified: modified.toSorted(), deleted: deleted.toSorted() };
}

function filesOf(snapshot: Snapshot | null, key: GroupKey): ReadonlyMap<string, Digest> {
  const paths = snapshot?.groups.get(key) ?? [];
  return new Map(paths.map((path) => [path, snapshot?.digests.get(path) ?? GONE]));
}

export function isEmpty({ modified, deleted }: FileChanges): boolean {
  return modified.length === 0 && deleted.length === 0;
}

/** In any group, sorted, each once. */
export function allChanges(before: Snapshot, now: Snapshot): readonly string[] {
  const keys = new Set([...before.groups.keys(), ...now.groups.keys()]);
  const paths = [...keys].flatMap((key) => {
    const { modified, deleted } = changesOf(key, before, now);
    return [...modified, ...deleted];
  });
  return [...new Set(paths)].toSorted();
}

/** `snapshot` as if these files had been then as they are in `now`. */
export function withFilesOf(
  snapshot: Snapshot,
  paths: ReadonlySet<string>,
  now: Snapshot,
): Snapshot {
  return withDigests(snapshot, paths, { now, digestOf: (path) => now.digests.get(path) ?? GONE });
}

/** `snapshot` as if nobody knew what these files of `now` were then: whatever they are, they differ. */
export function withUnknown(
  snapshot: Snapshot,
  paths: ReadonlySet<string>,
  now: Snapshot,
): Snapshot {
  return withDigests(snapshot, paths, { now, digestOf: () => UNKNOWN });
}

/** No digest of a file. */
const UNKNOWN: Digest = '?';

function withDigests(
  snapshot: Snapshot,
  paths: ReadonlySet<string>,
  { now, digestOf }: { readonly now: Snapshot; readonly digestOf: (path: string) => Digest },
): Snapshot {
  const digests = new Map(snapshot.digests);
  for (const path of paths) digests.set(path, digestOf(path));
  const groups = new Map(
    [...now.groups].map(([key, current]) => {
      const old = snapshot.groups.get(key) ?? [];
      const had = new Set(old);
      const added = current.filter((path) => paths.has(path) && !had.has(path));
      return [key, added.length === 0 ? old : [...old, ...added]] as const;
    }),
  );
  return { groups, digests };
}
