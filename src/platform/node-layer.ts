import * as fs from 'node:fs';
import { join } from 'node:path';
import { Parser, type ReadEntry } from 'tar';

import type { UnpackOptions } from './archives.ts';
import { asError } from './error-text.ts';
import { makeParents, pathIn } from './node-root-path.ts';
import { posixError } from './posix-error.ts';

/**
 * Unpacks one tar archive into a directory. Calls of the file system are synchronous, since entries depend on those
 * before them. Other events get their turn between two pieces of the archive.
 *
 * - No path is used that was not first resolved inside the root (node-root-path.ts).
 * - A whiteout deletes files of lower layers, never files of this layer.
 */
export class LayerUnpacker {
  readonly #root: string;
  readonly #options: UnpackOptions;
  readonly #isRoot = process.getuid?.() === 0;
  readonly #parser: Parser;
  /** Paths that this layer has created, and all their parent directories. */
  readonly #brought = new Set<string>();
  #failure: Error | null = null;
  entries = 0;
  leftOut = 0;

  constructor(root: string, options: UnpackOptions) {
    this.#root = root;
    this.#options = options;
    this.#parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        this.#take(entry);
      },
    });
    this.#parser.on('error', (error: Error) => {
      this.#failure ??= error;
    });
  }

  write(piece: Buffer): void {
    this.#parser.write(piece);
    this.#throwFailure();
  }

  end(): void {
    this.#parser.end();
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure === null) return;
    if ('code' in this.#failure && !String(this.#failure.code).startsWith('TAR_')) {
      throw this.#failure;
    }
    throw posixError(
      'EBADMSG',
      `it is no tar archive, or a damaged one (${this.#failure.message})`,
    );
  }

  #take(entry: ReadEntry): void {
    try {
      this.#enter(entry);
    } catch (error) {
      this.#failure ??= asError(error);
      entry.resume();
    }
  }

  #enter(entry: ReadEntry): void {
    this.entries += 1;
    if (this.entries > this.#options.maxEntries) {
      throw posixError('EFBIG', `it holds more than ${this.#options.maxEntries} entries`);
    }
    const parts = partsOf(entry.path);
    const name = parts.at(-1);
    if (name === undefined) {
      if (entry.type === 'Directory') this.#own(this.#root, entry);
      entry.resume();
      return;
    }
    const folder = makeParents(this.#root, parts.slice(0, -1));
    if (this.#options.whiteouts && name.startsWith(WHITEOUT)) {
      this.#whiteOut(folder, name);
      entry.resume();
      return;
    }
    this.#place(entry, join(folder, name));
  }

  #place(entry: ReadEntry, path: string): void {
    const { type } = entry;
    if (fileTypes.has(type)) {
      this.#writeFile(path, entry);
      this.#bring(path);
      return;
    }
    if (type === 'Directory') this.#makeFolder(path, entry);
    else if (type === 'SymbolicLink') this.#link(path, entry);
    else if (type === 'Link') this.#hardLink(path, entry.linkpath ?? '');
    else this.leftOut += 1;
    if (linkTypes.has(type)) this.#bring(path);
    entry.resume();
  }

  #link(path: string, { linkpath = '', uid = 0, gid = 0 }: ReadEntry): void {
    this.#clear(path);
    fs.symlinkSync(linkpath, path);
    if (this.#isRoot) fs.lchownSync(path, uid, gid);
  }

  #makeFolder(path: string, entry: ReadEntry): void {
    if (!isRealFolder(path)) {
      this.#clear(path);
      fs.mkdirSync(path);
    }
    this.#own(path, entry);
  }

  #writeFile(path: string, entry: ReadEntry): void {
    this.#clear(path);
    const fd = fs.openSync(path, 'wx', privateMode);
    entry.on('data', (piece: Buffer) => {
      try {
        // Unlike writeSync, it continues after the system has written only a part.
        fs.writeFileSync(fd, piece);
      } catch (error) {
        this.#failure ??= asError(error);
      }
    });
    entry.on('end', () => {
      if (this.#isRoot) fs.fchownSync(fd, entry.uid ?? 0, entry.gid ?? 0);
      // After chown, which clears the set-user-ID bits.
      fs.fchmodSync(fd, (entry.mode ?? fileMode) & permissionBits);
      if (entry.mtime !== undefined) fs.futimesSync(fd, entry.mtime, entry.mtime);
      fs.closeSync(fd);
    });
  }

  #hardLink(path: string, target: string): void {
    const parts = partsOf(target);
    const folder = pathIn(this.#root, parts.slice(0, -1));
    const from = folder === null ? null : join(folder, parts.at(-1) ?? '.');
    if (from === null || !isThere(from) || isRealFolder(from)) {
      throw posixError(
        'EBADMSG',
        `it has a hard link to ${JSON.stringify(target)}, which the image does not have`,
      );
    }
    if (from === path) return;
    this.#clear(path);
    fs.linkSync(from, path);
  }

  /**
   * Sets owner and mode of a directory, which keeps its content. They are those in the last layer that contains an
   * entry for the directory.
   */
  #own(path: string, entry: ReadEntry): void {
    if (this.#isRoot) fs.chownSync(path, entry.uid ?? 0, entry.gid ?? 0);
    // Only root can create files in a directory without the write permission.
    const least = this.#isRoot ? 0 : ownerAll;
    fs.chmodSync(path, ((entry.mode ?? folderMode) & permissionBits) | least);
  }

  #whiteOut(folder: string, name: string): void {
    if (name !== OPAQUE) {
      const hidden = name.slice(WHITEOUT.length);
      if (hidden === '' || hidden === '.' || hidden === '..') {
        throw posixError(
          'EBADMSG',
          `it deletes ${JSON.stringify(hidden)}, which is not a file name`,
        );
      }
      this.#remove(join(folder, hidden));
      return;
    }
    for (const child of fs.readdirSync(folder)) this.#remove(join(folder, child));
  }

  #remove(path: string): void {
    if (!this.#brought.has(path)) {
      fs.rmSync(path, { recursive: true, force: true });
    } else if (isRealFolder(path)) {
      for (const child of fs.readdirSync(path)) this.#remove(join(path, child));
    }
  }

  #clear(path: string): void {
    fs.rmSync(path, { recursive: true, force: true });
  }

  #bring(path: string): void {
    for (
      let at = path;
      at.length > this.#root.length && !this.#brought.has(at);
      at = join(at, '..')
    )
      this.#brought.add(at);
  }
}

const fileTypes: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);
const linkTypes: ReadonlySet<string> = new Set(['Directory', 'SymbolicLink', 'Link']);
const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';
const privateMode = 0o600;
const fileMode = 0o644;
const folderMode = 0o755;
const ownerAll = 0o700;
const permissionBits = 0o7777;

function partsOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw posixError(
      'EBADMSG',
      `it has the path ${JSON.stringify(path)}, which leads out of its root`,
    );
  }
  return parts;
}

function isThere(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isRealFolder(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
