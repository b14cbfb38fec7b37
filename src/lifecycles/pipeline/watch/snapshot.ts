/**
 * Describes the content of the watched files at one moment, in groups, and finds the differences between two moments.
 * Only `Contents` reads files.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';
import { isSystemFailure } from '../../../platform/posix-error.ts';
import { FILES_AT_ONCE, mapAtOnce, MAX_READ_BYTES } from '../build/file-digest.ts';
import type { FileChanges } from '../sync/plan-sync.ts';

/** A key such as "config", "manifests", "build", "artifact/IMAGE" or "test/IMAGE/INDEX". */
export type GroupKey = string;

export interface Snapshot {
  /** The absolute paths of each group. */
  readonly groups: ReadonlyMap<GroupKey, readonly string[]>;
  readonly digests: ReadonlyMap<string, Digest>;
}

const NOTHING: FileChanges = { modified: [], deleted: [] };

/**
 * The changes of one group, sorted. If `before` is null, every file is new. A file that left the group counts as
 * deleted.
 */
export function changesOf(key: GroupKey, before: Snapshot | null, now: Snapshot): FileChanges {
  if (before === now) return NOTHING;
  const [old, current] = [filesOf(before, key), filesOf(now, key)];
  const modified: string[] = [];
  const deleted: string[] = [];
  for (const [path, digest] of current) {
    const was = old.get(path) ?? REMOVED;
    if (was === digest) continue;
    (digest === REMOVED ? deleted : modified).push(path);
  }
  for (const [path, digest] of old) {
    if (digest !== REMOVED && !current.has(path)) deleted.push(path);
  }
  return { modified: modified.toSorted(), deleted: deleted.toSorted() };
}

function filesOf(snapshot: Snapshot | null, key: GroupKey): ReadonlyMap<string, Digest> {
  const paths = snapshot?.groups.get(key) ?? [];
  return new Map(paths.map((path) => [path, snapshot?.digests.get(path) ?? REMOVED]));
}

/** The files of a group that exist. */
export function presentIn({ groups, digests }: Snapshot, key: GroupKey): readonly string[] {
  const paths = groups.get(key) ?? [];
  return paths.filter((path) => (digests.get(path) ?? REMOVED) !== REMOVED);
}

export function isEmpty({ modified, deleted }: FileChanges): boolean {
  return modified.length === 0 && deleted.length === 0;
}

/** The paths that differ in any group, sorted and without duplicates. */
export function allChanges(before: Snapshot, now: Snapshot): readonly string[] {
  const keys = new Set([...before.groups.keys(), ...now.groups.keys()]);
  const paths = [...keys].flatMap((key) => {
    const { modified, deleted } = changesOf(key, before, now);
    return [...modified, ...deleted];
  });
  return [...new Set(paths)].toSorted();
}

/** `snapshot`, with the content of these files taken from `now`. */
export function withFilesOf(
  snapshot: Snapshot,
  paths: ReadonlySet<string>,
  now: Snapshot,
): Snapshot {
  const digests = new Map(snapshot.digests);
  for (const path of paths) digests.set(path, now.digests.get(path) ?? REMOVED);
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

/**
 * `snapshot`, with these files in the group and their content marked as unknown, so that they always differ. A file
 * that has left the group by the next snapshot counts as deleted.
 */
export function withUnknown(
  snapshot: Snapshot,
  key: GroupKey,
  paths: ReadonlySet<string>,
): Snapshot {
  const digests = new Map(snapshot.digests);
  for (const path of paths) digests.set(path, UNKNOWN);
  const groups = new Map(snapshot.groups);
  groups.set(key, [...new Set([...(groups.get(key) ?? []), ...paths])]);
  return { groups, digests };
}

/** A value that is the digest of no file. */
const UNKNOWN: Digest = '?';

/** The digest of one file; REMOVED if it does not exist or may not be read; UNKNOWN if the system fails at a read. */
export type Digest = string;

export const REMOVED: Digest = '-';

/** Number of hex digits in a digest: half of a SHA-256. */
const DIGEST_UNITS = 32;

const EXECUTABLE = 0o111;

/**
 * Holds the content of the watched files as digests, which alone decide whether a file has changed. A file is read when
 * it is first seen, and after each hint for it.
 */
export class Contents {
  readonly #files: Pick<Files, 'read' | 'stat'>;
  #digests: ReadonlyMap<string, Digest> = new Map();

  constructor(files: Pick<Files, 'read' | 'stat'>) {
    this.#files = files;
  }

  /** The digests of all files watched now; the returned map does not change later. */
  get digests(): ReadonlyMap<string, Digest> {
    return this.#digests;
  }

  /** Sets the watched files to `paths`, and reads those that are new or `hinted`. */
  async look(paths: Iterable<string>, hinted: { has(path: string): boolean }): Promise<void> {
    const before = this.#digests;
    const next = new Map<string, Digest>();
    const toRead: string[] = [];
    for (const path of paths) {
      const known = hinted.has(path) ? undefined : before.get(path);
      next.set(path, known ?? REMOVED);
      if (known === undefined) toRead.push(path);
    }
    await mapAtOnce(toRead, FILES_AT_ONCE, async (path) => {
      next.set(path, await digestOf(path, this.#files));
    });
    this.#digests = next;
  }
}

/** The digest of a file's content, or of its size and time if it is large, and whether it has an x bit. */
async function digestOf(path: string, files: Pick<Files, 'read' | 'stat'>): Promise<Digest> {
  try {
    const { kind, size, mode, mtimeMs } = await files.stat(path);
    if (kind !== 'file') return kind;
    const bits = (mode & EXECUTABLE) === 0 ? '' : 'x';
    if (size > MAX_READ_BYTES) return `${bits}${size} bytes of ${mtimeMs}`;
    return bits + sha256(await files.read(path)).slice(0, DIGEST_UNITS);
  } catch (error) {
    return isSystemFailure(error) ? UNKNOWN : REMOVED;
  }
}
