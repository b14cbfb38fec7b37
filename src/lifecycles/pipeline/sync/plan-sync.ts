/**
 * Decides whether the changed files of an artifact can be synced into its running containers, and to which paths. If
 * not, gives the reason why the artifact must be rebuilt. A plan has all of the changes or none. Pure.
 */
import type { Artifact, SyncConfig } from '../config/model.ts';
import { isWithin, joinPaths, withoutFolder } from '../config/paths.ts';
import { pathGlob } from '../hooks/glob.ts';

/** Changed files of an artifact, as absolute paths on this machine, sorted. */
export interface FileChanges {
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
}

export interface ContextChanges extends FileChanges {
  /** All files that the artifact has now, as absolute paths. */
  readonly present: readonly string[];
}

export interface FileCopy {
  /** The absolute path on this machine. */
  readonly from: string;
  /** The path in the container: absolute, or relative to its working directory. */
  readonly to: string;
}

export type SyncPlan =
  | {
      readonly kind: 'sync';
      readonly copies: readonly FileCopy[];
      /** Paths in the container, like `to`. */
      readonly deletes: readonly string[];
    }
  /** The reason is the end of a sentence. */
  | { readonly kind: 'rebuild'; readonly reason: string };

/**
 * The places of a file in the image. The path is relative to the context. null or empty: the places cannot be
 * determined.
 */
export type Inferred = (path: string) => readonly string[] | null;

/** Maximum number of changed files: a larger change requires a build. */
export const MAX_SYNC_FILES = 10_000;

/**
 * Plans the sync of changed files. Worked example, with the rules {src: "src/**\/*.js", dest: "lib", strip: "src/"} and
 * {src: "src/*.js", dest: "/raw"}: src/a.js goes to lib/a.js and to /raw/src/a.js. src/b/c.js goes only to lib/b/c.js.
 * A change of style.css requires a build.
 */
export function planSync(
  { context, sync }: Pick<Artifact, 'context' | 'sync'>,
  { modified, deleted, present }: ContextChanges,
  inferred: Inferred,
): SyncPlan {
  if (sync === null) return rebuild('it has no sync rules');
  const unsyncable = whyUnsyncable(context, [...modified, ...deleted]);
  if (unsyncable !== null) return rebuild(unsyncable);
  const destinationsOf = sync.mode === 'manual' ? manual(sync) : byInference(sync, inferred);
  const copies: FileCopy[] = [];
  for (const from of modified) {
    const found = destinationsOf(withoutFolder(context, from));
    if (typeof found === 'string') return rebuild(found);
    copies.push(...found.map((to) => ({ from, to })));
  }
  const deletes: string[] = [];
  for (const path of deleted) {
    const name = withoutFolder(context, path);
    // An inferred rule does not show which other file a build would put in the place of the deleted one.
    if (sync.mode !== 'manual')
      return rebuild(`${name} was deleted, and inferred sync rules cannot delete files`);
    const found = destinationsOf(name);
    if (typeof found === 'string') return rebuild(found);
    deletes.push(...found);
  }
  const plan = { kind: 'sync', copies, deletes: [...new Set(deletes)] } as const;
  const changed = new Set([...modified, ...deleted]);
  const kept = present.filter((path) => isWithin(path, context) && !changed.has(path));
  const names = kept.map((path) => withoutFolder(context, path));
  const unclear = whyUnclear(plan, names, destinationsOf);
  return unclear === null ? plan : rebuild(unclear);
}

/**
 * The reason why copied and deleted files do not give the same content as a build; null: they do. `names`: the
 * unchanged files.
 */
function whyUnclear(
  { copies, deletes }: Extract<SyncPlan, { kind: 'sync' }>,
  names: readonly string[],
  destinationsOf: Destinations,
): string | null {
  const whole = [...deletes, ...copies.map(({ to }) => to)].find((to) => isWholeFolder(to));
  if (whole !== undefined) return `the destination of a file is ${whole}, which is a directory`;
  if (deletes.length === 0) return null;
  const deleted = new Set(deletes);
  const rival = names.find((name) => {
    const found = destinationsOf(name);
    return typeof found !== 'string' && found.some((to) => deleted.has(to));
  });
  return rival === undefined ? null : `${rival} has the same destination as a deleted file`;
}

/** The reason why no sync rule can apply to the changes; null: the sync rules decide. */
function whyUnsyncable(context: string, paths: readonly string[]): string | null {
  if (paths.length > MAX_SYNC_FILES) return `more than ${MAX_SYNC_FILES} files have changed`;
  // A file outside of the context is an input of a hook. The place of the hook's output in the image is not known.
  const outside = paths.find((path) => !isWithin(path, context));
  return outside === undefined ? null : `${outside} is not in its context`;
}

function rebuild(reason: string): SyncPlan {
  return { kind: 'rebuild', reason };
}

/** Whether the path is a directory, so that deleting it would delete more than one file. */
function isWholeFolder(path: string): boolean {
  return ['', '.', '/'].includes(path) || path === '..' || path.endsWith('/..');
}

/** The destinations of a path relative to the context, or the reason why there is none. */
type Destinations = (path: string) => readonly string[] | string;

/** Applies every manual rule that matches a path. */
function manual({ manual: rules }: SyncConfig): Destinations {
  const compiled = rules.map((rule) => ({ ...rule, glob: pathGlob(rule.src) }));
  return (path) => {
    const found = compiled
      .filter(({ glob }) => glob.kind === 'glob' && glob.matches(path))
      .map(({ dest, strip }) =>
        joinPaths(dest, path.startsWith(strip) ? path.slice(strip.length) : path),
      );
    return found.length === 0 ? `no sync rule matches ${path}` : [...new Set(found)];
  };
}

function byInference({ mode, infer }: SyncConfig, inferred: Inferred): Destinations {
  const globs = (mode === 'auto' ? ['**'] : infer).map((pattern) => pathGlob(pattern));
  return (path) => {
    const isMeant = globs.some((glob) => glob.kind === 'glob' && glob.matches(path));
    if (!isMeant) return `no pattern of sync.infer matches ${path}`;
    const found = inferred(path) ?? [];
    if (found.length > 0) return found;
    return `the build does not show where ${path} is in the image`;
  };
}
