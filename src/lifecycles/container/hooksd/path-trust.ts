/**
 * Decides whether other users could replace a path: a user who may write to a directory above
 * it, or to one that a symbolic link on the way leads through, can. The path is resolved like in the kernel,
 * from the root directory.
 *
 * A directory with the sticky bit (/tmp) counts as trusted, since in it other users can rename and remove only
 * their own files; a file in it must still belong to a trusted owner.
 */
import type { Problem } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { distrust, foreignOwner, type Trust } from './trust.ts';

/** Maximum number of links that the kernel follows in one path. */
const LINKS_MAX = 40;
const STICKY = 0o1000;

/** Caches its results: many hooks share directories. */
export interface PathTrust {
  /** Why a directory above this absolute path is not trusted; the path itself is not judged. */
  above(path: string): Promise<Problem | undefined>;
  /** The visited directories, each with whether it is trusted. */
  passed(): ReadonlyMap<string, boolean>;
}

export function pathTrust(files: Files, trust: Trust): PathTrust {
  const folders = new Map<string, Problem | undefined>();
  const ways = new Map<string, Problem | undefined>();
  const walk = new Walk(files, trust, folders);
  return {
    above: async (path) => {
      if (trust.allowUntrusted) return undefined;
      if (!ways.has(path)) ways.set(path, await walk.to(path));
      return ways.get(path);
    },
    passed: () => new Map([...folders].map(([path, problem]) => [path, problem === undefined])),
  };
}

/** A parent directory may have the sticky bit. */
export async function distrustOfFolder(
  files: Files,
  path: string,
  trust: Trust,
): Promise<Problem | undefined> {
  const stat = await files.stat(path);
  const judged = (stat.mode & STICKY) === 0 ? stat : { ...stat, mode: STICKY };
  return distrust(path, judged, trust);
}

class Walk {
  readonly #files: Files;
  readonly #trust: Trust;
  readonly #folders: Map<string, Problem | undefined>;

  constructor(files: Files, trust: Trust, folders: Map<string, Problem | undefined>) {
    this.#files = files;
    this.#trust = trust;
    this.#folders = folders;
  }

  async to(path: string): Promise<Problem | undefined> {
    let folder = '/';
    let rest = namesOf(path);
    for (let links = 0; rest.length > 0;) {
      const problem = await this.#folder(folder);
      if (problem !== undefined) return problem;
      const [name = '', ...after] = rest;
      const child = name === '..' ? parentOf(folder) : inFolder(folder, name);
      const link = await this.#files.readLink(child);
      rest = after;
      if (link === null) {
        folder = child;
        continue;
      }
      links += 1;
      // Opening it will fail, and that is reported.
      if (links > LINKS_MAX) return undefined;
      if (!this.#trust.owners.includes(link.uid)) return foreignOwner(child, link, this.#trust);
      rest = [...namesOf(link.target), ...after];
      if (link.target.startsWith('/')) folder = '/';
    }
    return undefined;
  }

  async #folder(path: string): Promise<Problem | undefined> {
    if (!this.#folders.has(path)) {
      this.#folders.set(path, await distrustOfFolder(this.#files, path, this.#trust));
    }
    return this.#folders.get(path);
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function inFolder(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
