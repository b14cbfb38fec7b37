/**
 * Finds the files that `kubectl kustomize FOLDER` reads: those of the directory, and bases and files outside of it,
 * recursively.
 */
import { decodeUtf8File } from '../../../platform/byte-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { readDocuments } from '../../../model/located-document.ts';
import { walkFiles, type WalkOptions } from '../build/walk-files.ts';
import { folderOf, isWithin, resolveFrom } from '../config/paths.ts';

export interface KustomizeSources {
  /** Absolute, without duplicates. */
  readonly files: readonly string[];
  /** Directories and files in which a change may affect the sources, including those that do not exist yet. */
  readonly roots: readonly string[];
}

const KUSTOMIZATIONS = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

/** Maximum number of directories and files, per project, in which sources are searched. */
const MAX_ROOTS = 1_000;

/**
 * Finds the files that `kubectl kustomize` reads. `folders` are absolute. Rejects with a LifehookError if a directory
 * contains too many files.
 */
export async function kustomizeSources(
  folders: readonly string[],
  files: WalkOptions['files'] & Pick<Files, 'read'>,
): Promise<KustomizeSources> {
  const roots: string[] = [];
  const found = new Set<string>();
  const isSeen = (path: string): boolean => roots.some((root) => isWithin(path, root));
  const next = [...folders];
  for (let root = next.shift(); root !== undefined; root = next.shift()) {
    if (isSeen(root) || roots.length >= MAX_ROOTS) continue;
    roots.push(root);
    const kind = (await files.stat(root).catch(() => null))?.kind;
    if (kind === 'file') found.add(root);
    if (kind !== 'folder') continue;
    for (const name of await walkFiles(root, { files })) {
      const path = `${root}/${name}`;
      found.add(path);
      if (!KUSTOMIZATIONS.has(path.slice(path.lastIndexOf('/') + 1))) continue;
      const text = decodeUtf8File(await files.read(path).catch(() => ''));
      next.push(...namedIn(text, folderOf(path)));
    }
  }
  return { files: [...found], roots };
}

/**
 * The paths outside of a kustomization's directory that its text names, in any field. Pure.
 *
 * Worked example, in /p/overlays/dev: "../../base" is /p/base, and "page=../page.html" is /p/overlays/page.html.
 * "patch.yaml", "https://example.com/x" and "web" name no path outside of the directory.
 */
export function namedIn(text: string, folder: string): readonly string[] {
  const { documents } = readDocuments('kustomization.yaml', text, 'kubectl');
  const strings = documents.flatMap(({ value }) => stringsIn(value, MAX_DEPTH));
  return strings
    .map((one) => one.slice(one.indexOf('=') + 1))
    .filter((one) => /(?:^|\/)\.\.(?:\/|$)/.test(one) && !/\n|:\/\//.test(one))
    .map((one) => resolveFrom(folder, one))
    .filter((path) => !isWithin(path, folder) && !isWithin(folder, path));
}

const MAX_DEPTH = 20;

function stringsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((part) => stringsIn(part, depth - 1));
}
