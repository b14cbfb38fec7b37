/**
 * The files of a simulated machine as the kernel and the disk see them: a tree of directories, in which contents and
 * names become durable apart from each other. A power failure keeps what was synced and any part of the rest.
 */
import { posixError } from '../../../src/platform/posix-error.ts';
import type { Random } from '../random.ts';

export type SimNode = SimFile | SimFolder | SimPipe;

export interface SimFile {
  readonly kind: 'file';
  readonly inode: number;
  /** What a reader sees. */
  bytes: string;
  /** What the disk would hold, were everything written now: zeros where a sync has failed. */
  image: string;
  /** What the disk holds for certain. */
  durable: string;
}

export interface SimFolder {
  readonly kind: 'folder';
  readonly inode: number;
  names: Map<string, SimNode>;
  /** The names that a power failure leaves for certain; null: those that it has. */
  durableNames: ReadonlyMap<string, SimNode> | null;
}

/** A named pipe, a device: nothing that has content. */
export interface SimPipe {
  readonly kind: 'other';
  readonly inode: number;
}

export class FileTree {
  readonly #random: Random;
  readonly #root: SimFolder;
  /** What `find` has found since names last changed: most paths are looked at again and again. */
  readonly #found = new Map<string, SimNode | undefined>();
  readonly #names = new Map<string, readonly string[]>();
  #inodes = 1;

  constructor(random: Random) {
    this.#random = random;
    this.#root = this.#newFolder();
  }

  find(path: string): SimNode | undefined {
    const found = this.#found.get(path);
    if (found !== undefined || this.#found.has(path)) return found;
    const node = this.#walk(path);
    this.#found.set(path, node);
    return node;
  }

  #walk(path: string): SimNode | undefined {
    let node: SimNode | undefined = this.#root;
    for (const name of this.#namesOf(path)) {
      if (node.kind !== 'folder') return undefined;
      node = node.names.get(name);
      if (node === undefined) return undefined;
    }
    return node;
  }

  #namesOf(path: string): readonly string[] {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const names = namesOf(path);
    this.#names.set(path, names);
    return names;
  }

  get(path: string): SimNode {
    const node = this.find(path);
    if (node === undefined) throw posixError('ENOENT', `ENOENT: no such file, ${path}`);
    return node;
  }

  file(path: string): SimFile {
    const node = this.get(path);
    if (node.kind !== 'file') throw posixError('EISDIR', `EISDIR: not a file, ${path}`);
    return node;
  }

  folder(path: string): SimFolder {
    const node = this.get(path);
    if (node.kind !== 'folder') throw posixError('ENOTDIR', `ENOTDIR: not a directory, ${path}`);
    return node;
  }

  /** What a reader sees; empty where there is no such file. */
  visible(path: string): string {
    const node = this.find(path);
    return node?.kind === 'file' ? node.bytes : '';
  }

  newFile(content: string = ''): SimFile {
    return {
      kind: 'file',
      inode: (this.#inodes += 1),
      bytes: content,
      image: content,
      durable: '',
    };
  }

  /** In the existing directory; replaces the entry of that name. */
  put(path: string, node: SimNode): void {
    const folder = this.folder(parentOf(path));
    this.#begin(folder);
    folder.names.set(nameOf(path), node);
  }

  putPipe(path: string): void {
    if (this.find(path) !== undefined) throw posixError('EEXIST', `EEXIST: ${path}`);
    this.put(path, { kind: 'other', inode: (this.#inodes += 1) });
  }

  /** With its missing parents. The first directory that was made; null: all were there. */
  makeFolders(path: string): string | null {
    let at = '';
    let first: string | null = null;
    for (const name of this.#namesOf(path)) {
      at = `${at}/${name}`;
      const node = this.find(at);
      if (node?.kind === 'folder') continue;
      if (node !== undefined) throw posixError('ENOTDIR', `ENOTDIR: not a directory, ${at}`);
      this.put(at, this.#newFolder());
      first ??= at;
    }
    return first;
  }

  /** Of a name alone; the content of a directory is removed before it. */
  unlink(path: string): void {
    const parent = this.find(parentOf(path));
    if (parent?.kind !== 'folder' || !parent.names.has(nameOf(path))) return;
    this.#begin(parent);
    parent.names.delete(nameOf(path));
  }

  /** A file over a file, a directory over an empty one. */
  rename(from: string, to: string): void {
    const node = this.get(from);
    const target = this.find(to);
    if (target?.kind === 'folder' && target.names.size > 0) {
      throw posixError('ENOTEMPTY', `ENOTEMPTY: ${from} to ${to}`);
    }
    this.put(to, node);
    this.unlink(from);
  }

  /** Every path below, what is deepest first, and the path itself. */
  below(path: string): string[] {
    const node = this.find(path);
    if (node === undefined) return [];
    if (node.kind !== 'folder') return [path];
    return [...[...node.names.keys()].flatMap((name) => this.below(`${path}/${name}`)), path];
  }

  syncNames(path: string): void {
    const folder = this.find(path);
    if (folder?.kind === 'folder') folder.durableNames = null;
  }

  /** Linux drops what a sync has failed on from what is still to be written. */
  failSync(file: SimFile): void {
    file.image = file.durable + '\0'.repeat(Math.max(0, file.image.length - file.durable.length));
  }

  /** As if all had been there for long. */
  syncAll(folder: SimFolder = this.#root): void {
    folder.durableNames = null;
    for (const node of folder.names.values()) {
      if (node.kind === 'folder') this.syncAll(node);
      else if (node.kind === 'file') node.durable = node.image;
    }
  }

  losePower(): void {
    this.#found.clear();
    this.#loseNames(this.#root);
    this.#loseBytes(this.#root);
  }

  #loseNames(folder: SimFolder): void {
    if (folder.durableNames !== null && this.#random.chance(0.5)) {
      folder.names = new Map(folder.durableNames);
    }
    folder.durableNames = null;
    for (const node of folder.names.values()) if (node.kind === 'folder') this.#loseNames(node);
  }

  #loseBytes(folder: SimFolder): void {
    for (const node of folder.names.values()) {
      if (node.kind === 'folder') this.#loseBytes(node);
      if (node.kind !== 'file' || node.image === node.durable) continue;
      const { durable, image } = node;
      const rest = image.startsWith(durable) ? image.slice(durable.length) : '';
      const left = rest.slice(0, this.#random.between(0, rest.length));
      const zeros = this.#random.chance(0.3) ? this.#random.between(0, left.length) : 0;
      const bytes = durable + '\0'.repeat(zeros) + left.slice(zeros);
      Object.assign(node, { bytes, image: bytes, durable: bytes });
    }
  }

  /** Before its names change: from now on a power failure may leave those that it has. */
  #begin(folder: SimFolder): void {
    folder.durableNames ??= new Map(folder.names);
    this.#found.clear();
  }

  #newFolder(): SimFolder {
    return {
      kind: 'folder',
      inode: (this.#inodes += 1),
      names: new Map(),
      durableNames: null,
    };
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
