/** Determines the inputs of an index: the paths whose change makes the index stale. */
import type { Fingerprint, Fingerprints } from '../../../platform/fingerprint.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { startedPrograms } from '../hooksd/program.ts';
import { distrustOfFolder, pathTrust, type Trust } from '../hooksd/path-trust.ts';
import type { LoadedSet } from '../hooksd/resolve.ts';

export interface Watched {
  readonly folder: string;
  /** The names in the directory, each followed by "/". */
  readonly names: string;
}

export const betweenPlaces = '\u001f';

export async function watchedPlaces(
  { files, folders }: { files: Files; folders: readonly string[] },
  { entries }: LoadedSet,
): Promise<Watched[]> {
  const places = new Set<string>(folders);
  for (const folder of folders) {
    // Includes entries that lead to no file yet, such as a link whose target may be created later.
    for (const name of await namesIn(files, folder)) places.add(`${folder}/${name}`);
  }
  // Programs are inputs: a hook file counts only if its program exists and other users may not write to the program.
  for (const program of await programsOf(files, entries)) places.add(program);
  for (const { folder, name } of entries) {
    const path = `${folder}/${name}`;
    const target = await files.realPath(path).catch(() => path);
    // The target's directory is an input: a file is trusted only if other users may not write to that directory.
    if (target !== path) places.add(parentOf(target));
  }
  return grouped(places);
}

/** The programs of all files, and the interpreters of scripts. Each is listed once, though many hooks share it. */
async function programsOf(files: Files, entries: LoadedSet['entries']): Promise<Set<string>> {
  const programs = new Set<string>();
  for (const { file } of entries) {
    if (file === undefined || programs.has(file.hook.path)) continue;
    for (const program of await startedPrograms(files, file.hook.path)) programs.add(program);
  }
  return programs;
}

/** A directory above an input, and whether it was trusted (`path-trust.ts`). */
export type Guard = readonly [folder: string, trusted: boolean];

/**
 * Directories above hook directories and programs. Only their own modes and owners count, not their entries, so no
 * fingerprint includes them.
 */
export async function guardsOf(
  scan: Trust & { readonly files: Files; readonly folders: readonly string[] },
  { entries }: LoadedSet,
): Promise<Guard[]> {
  const paths = pathTrust(scan.files, scan);
  const files = entries.map(({ folder, name }) => `${folder}/${name}`);
  const programs = await programsOf(scan.files, entries);
  for (const path of [...scan.folders, ...files, ...programs]) {
    // A missing path is watched under its name.
    await paths.above(path).catch(() => undefined);
  }
  return [...paths.passed()];
}

export async function guardsHold(
  files: Files,
  guards: readonly Guard[],
  trust: Trust,
): Promise<boolean> {
  for (const [folder, trusted] of guards) {
    if ((await isTrusted(files, folder, trust)) !== trusted) return false;
  }
  return true;
}

/** null: the directory was removed since the build of the index, or cannot be inspected any more. */
async function isTrusted(files: Files, folder: string, trust: Trust): Promise<boolean | null> {
  try {
    return (await distrustOfFolder(files, folder, trust)) === undefined;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}

export function takeFingerprint(
  fingerprints: Fingerprints,
  watched: readonly Watched[],
): Fingerprint {
  let hash = 0;
  let newestMs = 0;
  for (const { folder, names } of watched) {
    const next = fingerprints.fingerprint(folder, names, hash);
    hash = next.hash;
    newestMs = Math.max(newestMs, next.newestMs);
  }
  return { hash, newestMs };
}

/** One line of the index. A name of printable ASCII is written unescaped; nearly all names are. */
export function writeWatched(watched: readonly Watched[]): string {
  return watched
    .flatMap(({ folder, names }) => [folder, names])
    .map((text) => (/^[ -~]*$/.test(text) ? `=${text}` : `%${encodeURIComponent(text)}`))
    .join(betweenPlaces);
}

export function readWatched(parts: readonly string[]): Watched[] {
  const texts = parts.map((part) =>
    part.startsWith('%') ? decodeURIComponent(part.slice(1)) : part.slice(1),
  );
  return texts.flatMap((folder, at) =>
    at % 2 === 0 ? [{ folder, names: texts[at + 1] ?? '' }] : [],
  );
}

async function namesIn(files: Files, folder: string): Promise<string[]> {
  try {
    return (await files.list(folder)).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function grouped(places: ReadonlySet<string>): Watched[] {
  const byFolder = new Map<string, string[]>();
  for (const place of places) {
    const folder = parentOf(place);
    const name = place.slice(place.lastIndexOf('/') + 1);
    const names = byFolder.get(folder) ?? [];
    byFolder.set(folder, names);
    names.push(name === '' ? '.' : name);
  }
  return [...byFolder].map(([folder, names]) => ({ folder, names: `${names.join('/')}/` }));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
