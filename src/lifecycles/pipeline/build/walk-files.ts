/**
 * Lists the files below a directory, and those that globs match. Links to directories are not followed: they may form
 * cycles.
 */
import { LifehookError } from '../../../model/problem.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf, isSystemFailure } from '../../../platform/posix-error.ts';
import { folderOf, nameIn, resolveFrom, type SplitGlob, splitGlob } from '../config/paths.ts';
import { pathGlob } from '../hooks/glob.ts';
import { FILES_AT_ONCE, mapAtOnce } from './file-digest.ts';

export interface WalkOptions {
  readonly files: Pick<Files, 'list' | 'stat' | 'realPath'>;
  /** Whether a path relative to the root is skipped, with everything below it. */
  readonly skips?: (path: string) => boolean;
  /** Called with the relative path of a directory that may not be read ('' is the root): its files are not found. */
  readonly onDenied?: (path: string) => void;
}

/** Maximum number of files, and of directories, below one directory: more are certainly a mistake. */
export const MAX_FILES = 200_000;

/** The directory of session records. It is part of no build, sync, watch or digest, wherever it is. */
export const STATE_FOLDER = '.lifehook';

/** Git changes its own files on every access; Lifehook changes its own on every run. */
const NEVER: readonly string[] = ['.git', STATE_FOLDER];

/** Whether an absolute path is, or is in, a state directory below this directory. */
export function isStateBelow(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`) && isState(path.slice(folder.length + 1));
}

export function isState(relativePath: string): boolean {
  return relativePath.split('/').includes(STATE_FOLDER);
}

/**
 * The paths of all files, relative and sorted. A missing root has no files. A file that disappears meanwhile is
 * omitted, and so are the files of a directory that may not be read. Rejects with a LifehookError if the system fails,
 * since the callers take a file that is not listed for a deleted one.
 */
export async function walkFiles(root: string, options: WalkOptions): Promise<string[]> {
  const { files, skips } = options;
  const found = await walk(root, {
    files,
    skips: (path) => NEVER.includes(nameIn(path)) || skips?.(path) === true,
  });
  return found
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .toSorted();
}

/**
 * The relative, sorted paths of all entries, for a copy of the directory. They include directories, links, git's own
 * files, and state directories, but not the content of state directories.
 */
export async function walkAll(root: string, options: WalkOptions): Promise<string[]> {
  const found = await walk(root, options);
  return found.map(({ path }) => path).toSorted();
}

interface Entry {
  readonly path: string;
  /** null: the entry is a link to a directory or to nothing, or was removed meanwhile. */
  readonly kind: 'file' | 'folder' | null;
}

async function walk(root: string, options: WalkOptions): Promise<Entry[]> {
  const found: Entry[] = [];
  const folders: string[] = [''];
  let files = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const paths = await entriesOf(root, folder, options);
    const kinds = await mapAtOnce(paths, FILES_AT_ONCE, (path) =>
      kindOf(`${root}/${path}`, options),
    );
    for (const [index, path] of paths.entries()) {
      const kind = kinds[index] ?? null;
      found.push({ path, kind });
      if (kind !== 'folder') files += 1;
      if (kind === 'folder' && nameIn(path) !== STATE_FOLDER) folders.push(path);
    }
    if (Math.max(files, found.length - files) > MAX_FILES) throw tooMany(root);
  }
  return found;
}

async function entriesOf(
  root: string,
  folder: string,
  { files, skips, onDenied }: WalkOptions,
): Promise<string[]> {
  const names = await files
    .list(folder === '' ? root : `${root}/${folder}`)
    .catch((error: unknown) => {
      if (isSystemFailure(error)) throw unlisted(root, error);
      if (codeOf(error) === 'EACCES') onDenied?.(folder);
      return [];
    });
  return names
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .filter((path) => skips?.(path) !== true);
}

async function kindOf(path: string, { files }: WalkOptions): Promise<'file' | 'folder' | null> {
  const stat = await files.stat(path).catch((error: unknown) => {
    if (isSystemFailure(error)) throw unlisted(path, error);
    return null;
  });
  if (stat?.kind !== 'folder') return stat === null ? null : 'file';
  try {
    const [own, parent] = await Promise.all([files.realPath(path), files.realPath(folderOf(path))]);
    return own === `${parent === '/' ? '' : parent}/${nameIn(path)}` ? 'folder' : null;
  } catch (error) {
    if (isSystemFailure(error)) throw unlisted(path, error);
    // The directory was removed after the stat.
    return null;
  }
}

function unlisted(path: string, error: unknown): LifehookError {
  return new LifehookError({
    code: 'LHL306',
    message: `The files of ${path} cannot be listed: ${errorText(error)}.`,
    next: 'Check the limit of open files (ulimit -n) and the disk, and run the command again.',
  });
}

function tooMany(root: string): LifehookError {
  return new LifehookError({
    code: 'LHL306',
    message: `The directory ${root} has more than ${MAX_FILES} files, or more than ${MAX_FILES} directories.`,
    next: 'Name a smaller directory, or exclude files in its .dockerignore or with `ignore`.',
  });
}

/**
 * The matching files: absolute, sorted, without duplicates. A named or matched directory stands for everything in it;
 * an invalid glob, which was reported when the configuration was read, matches nothing.
 */
export async function globFiles(
  folder: string,
  patterns: readonly string[],
  options: WalkOptions,
): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    for (const path of await globOne(splitGlob(folder, pattern), options)) found.add(path);
  }
  return [...found].filter((path) => !isStateBelow(folder, path)).toSorted();
}

async function globOne(
  { root, glob: pattern }: SplitGlob,
  options: WalkOptions,
): Promise<string[]> {
  if (pattern === null && (await kindOf(root, options)) === 'file') return [root];
  const glob = pathGlob(pattern ?? '**');
  if (glob.kind === 'wrong') return [];
  const below = await walkFiles(root, options);
  return below
    .filter((path) => withParents(path).some((one) => glob.matches(one)))
    .map((path) => resolveFrom(root, path));
}

/** Worked example: a/b/c gives a, a/b and a/b/c. */
export function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
