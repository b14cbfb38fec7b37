/**
 * What the watched files hold, as digests: these decide what has changed, whatever the watcher said. A file is read
 * when it is first seen and after each hint of it, not else.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';
import { FILES_AT_ONCE, mapAtOnce } from '../build/at-once.ts';
import { MAX_READ_BYTES } from '../build/file-digest.ts';

/** Of one file; GONE where it is not there. */
export type Digest = string;

export const GONE: Digest = '-';

/** Half of SHA-256, in hex. */
const DIGEST_UNITS = 32;

const EXECUTABLE = 0o111;

export class Contents {
  readonly #files: Pick<Files, 'read' | 'stat'>;
  #digests: ReadonlyMap<string, Digest> = new Map();

  constructor(files: Pick<Files, 'read' | 'stat'>) {
    this.#files = files;
  }

  /** Of all that are watched now; who keeps it sees no later change. */
  get digests(): ReadonlyMap<string, Digest> {
    return this.#digests;
  }

  /** From now on exactly `paths`: those that are new, or `hinted`, are read. */
  async look(paths: Iterable<string>, hinted: { has(path: string): boolean }): Promise<void> {
    const before = this.#digests;
    const next = new Map<string, Digest>();
    const toRead: string[] = [];
    for (const path of paths) {
      const known = hinted.has(path) ? undefined : before.get(path);
      next.set(path, known ?? GONE);
      if (known === undefined) toRead.push(path);
    }
    await mapAtOnce(toRead, FILES_AT_ONCE, async (path) => {
      next.set(path, await digestOf(path, this.#files));
    });
    this.#digests = next;
  }
}

/** Of content and x bits. */
export async function digestOf(path: string, files: Pick<Files, 'read' | 'stat'>): Promise<Digest> {
  try {
    const { kind, size, mode, mtimeMs } = await files.stat(path);
    if (kind !== 'file') return kind;
    const bits = (mode & EXECUTABLE) === 0 ? '' : 'x';
    if (size > MAX_READ_BYTES) return `${bits}${size} bytes of ${mtimeMs}`;
    return bits + sha256(await files.read(path)).slice(0, DIGEST_UNITS);
  } catch {
    return GONE;
  }
}
