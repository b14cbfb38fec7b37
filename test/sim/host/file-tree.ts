/**
 * The files of a simulated machine as the kernel and the disk see them. Contents and names of this tree of directories
 * become durable independently. A power failure keeps the synced data and a random part of the rest.
 */
import { posixError } from '../../../src/platform/posix-error.ts';
import type { Random } from '../random.ts';

export type SimNode = SimFile | SimFolder | SimPipe;

export interface SimFile {
  readonly kind: 'file';
  readonly inode: number;
  /** Content that a reader sees. */
  bytes: string;
  /** Content that the disk would have if everything were written now; zeros where a sync has failed. */
  image: string;
  /** Content that is on the disk for certain. */
  durable: string;
}

export interface SimFolder {
  readonly kind: 'folder';
  readonly inode: number;
  names: Map<string, SimNode>;
  /** Names that survive a power failure for certain; null: the current names do. */
  durableNames: ReadonlyMap<string, SimNode> | null;
}

/** A named pipe or a device: it has no content. */
export interface SimPipe {
  readonly kind: 'other';
  readonly inode: number;
}

export class FileTree {
  readonly #random: Random;
  readonly #root: SimFolder;
  /** Cached results of `find`, since most paths are looked up many times. Any change of names clears the cache. */
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

  /** Content that a reader sees; empty if there is no such file. */
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

  /** Puts the node into the existing parent directory, in place of an entry of that name. */
  put(path: string, node: SimNode): void {
    const folder = this.folder(parentOf(path));
    this.#begin(folder);
    folder.names.set(nameOf(path), node);
  }

  putPipe(path: string): void {
    if (this.find(path) !== undefined) throw posixError('EEXIST', `EEXIST: ${path}`);
    this.put(path, { kind: 'other', inode: (this.#inodes += 1) });
  }

  /** Creates a directory and its missing parents. Returns the first directory that it created; null if all existed. */
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

  /** Removes a name. The caller removes the content of a directory before. */
  unlink(path: string): void {
    const parent = this.find(parentOf(path));
    if (parent?.kind !== 'folder' || !parent.names.has(nameOf(path))) return;
    this.#begin(parent);
    parent.names.delete(nameOf(path));
  }

  /** Renames over a file or an empty directory. Fails with ENOTEMPTY over another directory. */
  rename(from: string, to: string): void {
    const node = this.get(from);
    const target = this.find(to);
    if (target?.kind === 'folder' && target.names.size > 0) {
      throw posixError('ENOTEMPTY', `ENOTEMPTY: ${from} to ${to}`);
    }
    this.put(to, node);
    this.unlink(from);
  }

  /** All paths below the path, the deepest first, and the path itself at the end. */
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

  /** Simulates a failed sync: as on Linux, the data that was not written is not written again. */
  failSync(file: SimFile): void {
    file.image = file.durable + '\0'.repeat(Math.max(0, file.image.length - file.durable.length));
  }

  /** Makes the whole tree durable. */
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

  /** Call before names in the directory change. From then on, a power failure may leave the earlier names. */
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
