/**
 * Decides whether other users could replace a path. They can if they own, or may write to, a directory above the path,
 * or one that a symbolic link in the path leads through. The path is resolved as the kernel does it, from the root
 * directory.
 *
 * A directory with the sticky bit (/tmp) may be writable by other users: they can rename and remove only their own
 * files there. The directory, and each file and link of the path in it, must still belong to a trusted owner.
 */
import type { Problem } from '../../../model/problem.ts';
import { shellWords } from '../../../model/shell-words.ts';
import type { Files, FileStat } from '../../../platform/platform.ts';

/** Maximum number of links that the kernel follows in one path. */
const LINKS_MAX = 40;
const STICKY = 0o1000;

/** Judges directories above paths. The results are cached, since many hooks share directories. */
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

/** Judges a directory above a path. With the sticky bit, other users may write to the directory. */
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
      // Opening such a path fails, and that failure is reported.
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

/**
 * Mode bits that let the group or all users write. Hook files name programs that run as root. So a file or directory
 * that other users may write to is refused, unless `allowUntrusted` is set. `distrust` judges one path; `pathTrust`
 * judges the directories above it.
 */
const WRITABLE_BY_OTHERS = 0o022;

export interface Trust {
  /** User ids that may own hook files and their directories: root, our own, and in a user namespace the overflow id. */
  readonly owners: readonly number[];
  /** Accepts untrusted files; for development machines. */
  readonly allowUntrusted: boolean;
}

/** Why the file or directory at `path` is not trusted; undefined: it is trusted. */
export function distrust(path: string, stat: FileStat, trust: Trust): Problem | undefined {
  if (trust.allowUntrusted) return undefined;
  if ((stat.mode & WRITABLE_BY_OTHERS) !== 0) {
    const mode = stat.mode.toString(8).padStart(4, '0');
    return refusal(path, {
      received: `its mode is ${mode}, so its group or every user may write to it`,
      next: `Run "${shellWords(['chmod', 'go-w', path])}"`,
    });
  }
  return trust.owners.includes(stat.uid) ? undefined : foreignOwner(path, stat, trust);
}

function foreignOwner(path: string, { uid }: Pick<FileStat, 'uid'>, { owners }: Trust): Problem {
  return refusal(path, {
    received: `it belongs to user ${uid}, but must belong to user ${owners.join(' or ')}`,
    next: `Run "${shellWords(['chown', String(owners[0] ?? 0), path])}"`,
  });
}

/** The uid that the kernel shows for owners without a mapping in a user namespace. */
const OVERFLOW_UID = 65_534;

/**
 * Root and our own uid. In a user namespace (rootless Podman) the host's root has no mapping, and its files show the
 * overflow user. So the overflow user is trusted there too. `uidMap`: /proc/self/uid_map.
 */
export function trustedOwners(uid: number, uidMap: string): number[] {
  const owners = uid === 0 ? [0] : [0, uid];
  return /^\s*0\s+0\s+4294967295\s*$/.test(uidMap) ? owners : [...owners, OVERFLOW_UID];
}

function refusal(path: string, { received, next }: { received: string; next: string }): Problem {
  return {
    code: 'LHC112',
    severity: 'error',
    message: `Only trusted users may decide which hooks run: ${path} is refused, since ${received}.`,
    at: { file: path, line: 1, column: 1 },
    next: `${next}, or allow untrusted hook files: --allow-untrusted, or "allowWritableByOthers": true for lifehook-runtime.`,
  };
}
