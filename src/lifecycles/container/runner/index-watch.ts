/** What an index depends on: the places whose change makes it stale. */
import type { LoadedSet } from '../hooksd/resolve.ts';
import type { ScanOptions } from '../hooksd/scan.ts';

export interface Watched {
  readonly folder: string;
  /** Each ended by "/". */
  readonly names: string;
}

export async function watchedPlaces(
  { files, folders }: ScanOptions,
  { entries }: LoadedSet,
): Promise<Watched[]> {
  const places = new Set<string>(folders);
  for (const folder of folders) {
    // Also the names that stand for nothing yet, such as a link whose target may come.
    for (const name of await namesIn(files, folder)) places.add(`${folder}/${name}`);
  }
  for (const { folder, name, file } of entries) {
    const path = `${folder}/${name}`;
    // Whether a program is there decides whether its file counts.
    if (file !== undefined) places.add(file.hook.path);
    const target = await realPathOr(files, path);
    // Who may write to the folder that a link leads to decides whether the file is trusted.
    if (target !== path) places.add(parentOf(target));
  }
  return grouped(places);
}

async function namesIn(files: ScanOptions['files'], folder: string): Promise<string[]> {
  try {
    return (await files.list(folder)).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function grouped(places: ReadonlySet<string>): Watched[] {
  const byFolder = new Map<string, string>();
  for (const place of places) {
    const folder = parentOf(place);
    const name = place.slice(place.lastIndexOf('/') + 1);
    byFolder.set(folder, `${byFolder.get(folder) ?? ''}${name === '' ? '.' : name}/`);
  }
  return [...byFolder].map(([folder, names]) => ({ folder, names }));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

async function realPathOr(files: ScanOptions['files'], path: string): Promise<string> {
  try {
    return await files.realPath(path);
  } catch {
    return path;
  }
}
