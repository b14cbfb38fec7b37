/** Finds the files that the patterns of `rawYaml` match. */
import { LifehookError } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { resolveFrom } from '../config/paths.ts';
import { pathGlob } from '../hooks/glob.ts';

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
const GLOB_LETTERS = /[*?[\\]/;

/**
 * Patterns are relative to `folder`. A directory stands for the manifests in and below it. A file that is named without
 * wildcards is accepted with any extension.
 */
export async function findFiles(
  files: Pick<Files, 'list' | 'stat'>,
  folder: string,
  patterns: readonly string[],
): Promise<FoundFiles> {
  const found = new Set<string>();
  const unmatched: string[] = [];
  const others: string[] = [];
  for (const pattern of patterns) {
    const matched = await matchesOf(files, resolveFrom(folder, pattern));
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
  files: Pick<Files, 'list' | 'stat'>,
  path: string,
): Promise<readonly Match[]> {
  if (!GLOB_LETTERS.test(path)) {
    const kind = await kindOf(files, path);
    if (kind === 'file') return [{ path, named: true }];
    if (kind !== 'folder') return [];
    const below = await walk(files, path);
    return below.filter((one) => MANIFEST_NAME.test(one)).map(asMatch);
  }
  const fixed = path.slice(0, path.search(GLOB_LETTERS));
  const root = fixed.slice(0, fixed.lastIndexOf('/')) || '/';
  const glob = pathGlob(path.slice(root === '/' ? 1 : root.length + 1));
  if (glob.kind === 'wrong') return [];
  const below = await walk(files, root);
  const start = root === '/' ? 1 : root.length + 1;
  return below.filter((one) => glob.matches(one.slice(start))).map(asMatch);
}

function asMatch(path: string): Match {
  return { path, named: false };
}

/** The files below a directory, sorted; empty if the directory does not exist. */
async function walk(files: Pick<Files, 'list' | 'stat'>, root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let folders: readonly string[] = [root];
  let seen = 0;
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0; depth += 1) {
    const entries: string[] = [];
    for (const folder of folders) entries.push(...(await entriesOf(files, folder)));
    seen += entries.length;
    if (seen > MAX_ENTRIES) throw tooManyFiles(root);
    const next: string[] = [];
    for (const path of entries) {
      const kind = await kindOf(files, path);
      if (kind === 'folder') next.push(path);
      else if (kind === 'file') found.push(path);
    }
    folders = next;
  }
  return found.toSorted();
}

async function entriesOf(files: Pick<Files, 'list'>, folder: string): Promise<readonly string[]> {
  const names = await files.list(folder).catch(() => []);
  return names.map((name) => `${folder === '/' ? '' : folder}/${name}`);
}

function tooManyFiles(root: string): LifehookError {
  return new LifehookError({
    code: 'LHL402',
    message: `Below ${root} are more than ${MAX_ENTRIES} files and directories.`,
    next: 'Narrow the pattern of manifests.rawYaml.',
  });
}

async function kindOf(files: Pick<Files, 'stat'>, path: string): Promise<string | null> {
  try {
    return (await files.stat(path)).kind;
  } catch {
    return null;
  }
}
