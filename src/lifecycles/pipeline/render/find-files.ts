/** Finds the files that the patterns of `rawYaml` match. */
import { LifehookError } from '../../../model/problem.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf, isSystemFailure } from '../../../platform/posix-error.ts';
import { type SplitGlob, splitGlob } from '../config/paths.ts';
import { pathGlob } from '../hooks/glob.ts';

type WalkFiles = Pick<Files, 'list' | 'stat' | 'realPath'>;

export interface FoundFiles {
  /** Absolute, without duplicates. In the order of the patterns, and sorted for each pattern. */
  readonly files: readonly string[];
  /** Patterns that no file matches. */
  readonly unmatched: readonly string[];
  /** Matched files whose extension is not that of manifests. */
  readonly others: readonly string[];
}

/** Maximum number of files and directories read for one pattern. */
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 50;

const MANIFEST_NAME = /\.(?:ya?ml|json)$/;

/**
 * Finds the manifests that the patterns select. Patterns are relative to `folder`. A directory stands for the manifests
 * in and below it. A file that is named without wildcards is accepted with any extension, and may be a pipe.
 */
export async function findFiles(
  files: WalkFiles,
  folder: string,
  patterns: readonly string[],
): Promise<FoundFiles> {
  const found = new Set<string>();
  const unmatched: string[] = [];
  const others: string[] = [];
  for (const pattern of patterns) {
    const matched = await matchesOf(files, splitGlob(folder, pattern));
    if (matched.length === 0) unmatched.push(pattern);
    for (const { path, named } of matched) {
      if (named || MANIFEST_NAME.test(path)) found.add(path);
      else others.push(path);
    }
  }
  return { files: [...found], unmatched, others };
}

interface Match {
  readonly path: string;
  readonly named: boolean;
}

async function matchesOf(
  files: WalkFiles,
  { root, glob: pattern }: SplitGlob,
): Promise<readonly Match[]> {
  if (pattern === null) {
    const kind = await kindOf(files, root);
    if (kind === null) return [];
    if (kind !== 'folder') return [{ path: root, named: true }];
    const isManifest = (path: string): boolean => MANIFEST_NAME.test(path);
    return (await walk(files, root, { isFound: isManifest, isEntered: () => true })).map(asMatch);
  }
  const glob = pathGlob(pattern);
  if (glob.kind === 'wrong') return [];
  const start = root === '/' ? 1 : root.length + 1;
  const found = await walk(files, root, {
    isFound: (path) => glob.matches(path.slice(start)),
    isEntered: (path) => mayHoldMatch(pattern, path.slice(start)),
  });
  return found.map(asMatch);
}

/** Whether the pattern may match a file in or below this directory; both are relative to the same directory. */
function mayHoldMatch(pattern: string, folder: string): boolean {
  const parts = pattern.split('/');
  const depth = folder.split('/').length;
  const any = parts.indexOf('**');
  const isBelowAny = any !== -1 && any < depth;
  if (!isBelowAny && depth >= parts.length) return false;
  const glob = pathGlob(parts.slice(0, isBelowAny ? any + 1 : depth).join('/'));
  return glob.kind === 'glob' && glob.matches(folder);
}

function asMatch(path: string): Match {
  return { path, named: false };
}

interface Folder {
  readonly path: string;
  /** The paths, without symbolic links, of the walked directories down to this one. */
  readonly real: readonly string[];
}

interface Entry {
  readonly path: string;
  /** The paths, without symbolic links, of the walked directories down to the one with this entry. */
  readonly above: readonly string[];
}

/** Decides by the path which files are found, and which directories are entered. */
interface Wanted {
  readonly isFound: (path: string) => boolean;
  readonly isEntered: (path: string) => boolean;
}

/**
 * The wanted files below a directory, sorted; empty if the directory does not exist. Follows no cycle of symbolic
 * links. Calls stat only for paths that `wanted` finds or enters.
 */
async function walk(files: WalkFiles, root: string, wanted: Wanted): Promise<readonly string[]> {
  const found: string[] = [];
  let folders: readonly Folder[] = await folderIn(files, root, []);
  let seen = 0;
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0; depth += 1) {
    const entries: Entry[] = [];
    for (const folder of folders) entries.push(...(await entriesOf(files, folder)));
    seen += entries.length;
    if (seen > MAX_ENTRIES) throw tooManyFiles(root);
    const next: Folder[] = [];
    for (const { path, above } of entries) {
      const kind = await wantedKind(files, path, wanted);
      if (kind === 'file') found.push(path);
      if (kind === 'folder') next.push(...(await folderIn(files, path, above)));
    }
    folders = next;
  }
  return found.toSorted();
}

/** The directory to walk; none: it was removed meanwhile, or is one of `above`. */
async function folderIn(
  files: WalkFiles,
  path: string,
  above: readonly string[],
): Promise<readonly Folder[]> {
  const real = await orNull(files.realPath(path), path);
  return real === null || above.includes(real) ? [] : [{ path, real: [...above, real] }];
}

async function entriesOf(
  files: Pick<Files, 'list'>,
  { path: folder, real: above }: Folder,
): Promise<readonly Entry[]> {
  const names = (await orNull(files.list(folder), folder)) ?? [];
  return names.map((name) => ({ path: `${folder === '/' ? '' : folder}/${name}`, above }));
}

function tooManyFiles(root: string): LifehookError {
  return new LifehookError({
    code: 'LHL402',
    message: `Below ${root} are more than ${MAX_ENTRIES} files and directories.`,
    next: 'Narrow the pattern of manifests.rawYaml.',
  });
}

/** null: the path does not exist, or `wanted` neither finds nor enters it. */
async function wantedKind(
  files: Pick<Files, 'stat'>,
  path: string,
  { isFound, isEntered }: Wanted,
): Promise<'file' | 'folder' | null> {
  const isWantedFile = isFound(path);
  const isWantedFolder = isEntered(path);
  if (!isWantedFile && !isWantedFolder) return null;
  const kind = await kindOf(files, path);
  if (kind === 'file') return isWantedFile ? kind : null;
  return kind === 'folder' && isWantedFolder ? kind : null;
}

async function kindOf(files: Pick<Files, 'stat'>, path: string): Promise<string | null> {
  return (await orNull(files.stat(path), path))?.kind ?? null;
}

/**
 * null: the path does not exist. Rejects if it may not be read or the system fails: a manifest that is not listed would
 * count as removed, and its objects would be pruned.
 */
async function orNull<T>(reading: Promise<T>, path: string): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (DENIED.has(codeOf(error) ?? '')) throw unlisted(path, error, GRANT);
    if (isSystemFailure(error)) throw unlisted(path, error, CHECK_SYSTEM);
    return null;
  }
}

const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
const GRANT = 'Grant the right to read them, or narrow the pattern that leads there.';
const CHECK_SYSTEM =
  'Check the limit of open files (ulimit -n) and the disk, and run the command again.';

function unlisted(path: string, error: unknown, next: string): LifehookError {
  const message = `The files of ${path} cannot be listed: ${errorText(error)}.`;
  return new LifehookError({ code: 'LHL402', message, next });
}
