import * as native from 'lifehook:native';
import * as os from 'qjs:os';

import type { AppendFile, ByteText, FileStat, Files } from '../src/platform/platform.ts';
import type { RandomAccess } from '../src/platform/shim-host.ts';
import { check } from './errno.ts';

/**
 * Implements `Files` with QuickJS' `os` module and native.c, with the same contract as src/platform/files.ts: when a
 * call returns, the file and its name are on the disk.
 */
export const quickjsFiles: Files = {
  read: async (path) => withFile(path, flags.read, (fd) => readAll(fd, path)),
  readStart: async (path, bytes) =>
    withFile(path, flags.read, (fd) => {
      const start = native.read(fd, bytes);
      if (typeof start === 'number') check(start, 'read', path);
      return String(start);
    }),
  stat: async (path) => {
    const [stat, error] = os.stat(path);
    check(-error, 'look at', path);
    return describe(stat);
  },
  list: async (path) => {
    const [names, error] = os.readdir(path);
    check(-error, 'list', path);
    return names.filter((name) => name !== '.' && name !== '..');
  },
  replace: async (path, content, like) => {
    replaceFile({ path, content, sync: true, ...like });
    syncFolder(path);
  },
  create: async (path, content, mode) => {
    withNewFile(path, mode, (fd) => {
      writeAll(fd, content, path);
      native.own(fd, mode, keepOwner, keepOwner);
      check(native.sync(fd), 'sync', path);
    });
    syncFolder(path);
  },
  openAppend: async (path, mode, kind) => openAppend(path, mode, kind),
  truncate: async (path, size) => {
    withFile(path, flags.write, (fd) => {
      check(native.truncate(fd, size), 'truncate', path);
      check(native.sync(fd), 'sync', path);
    });
  },
  rename: async (from, to, kind) => {
    check(os.rename(from, to), 'rename', from);
    if (kind !== 'unsynced') syncFolder(to);
  },
  remove: async (path) => {
    removeTree(path, removeDepthMax);
  },
  makeFolder: async (path, mode) => {
    makeFolders(path, mode);
  },
  realPath: async (path) => {
    const [real, error] = os.realpath(path);
    check(-error, 'resolve', path);
    return real;
  },
  readLink: async (path) => {
    const [target, error] = os.readlink(path);
    // The usual error is EINVAL: the path is not a link.
    return error === 0 ? { target, uid: os.lstat(path)[0].uid } : null;
  },
};

export interface Replacement {
  readonly path: string;
  readonly content: ByteText;
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Whether to sync the file. Without a sync, a power failure may leave the old file, the new file or an empty one. */
  readonly sync: boolean;
}

/** Writes a new file next to the old one, then renames it over the old one. */
export function replaceFile({ path, content, mode, uid, gid, sync }: Replacement): void {
  const folder = folderOf(path);
  const temporary = `${folder}/.lifehook-${os.getpid()}-${nextTemporary()}.tmp`;
  try {
    withNewFile(temporary, temporaryMode, (fd) => {
      writeAll(fd, content, temporary);
      check(native.own(fd, mode, uid ?? keepOwner, gid ?? keepOwner), 'own', temporary);
      if (sync) check(native.sync(fd), 'sync', temporary);
    });
    check(os.rename(temporary, path), 'replace', path);
  } catch (error) {
    os.remove(temporary);
    throw error;
  }
}

export function openRead(path: string): RandomAccess {
  const fd = check(os.open(path, flags.read), 'open', path);
  return {
    read: async (from, length) => {
      os.seek(fd, from, os.SEEK_SET);
      const bytes = native.read(fd, length);
      if (typeof bytes === 'number') check(bytes, 'read', path);
      return String(bytes);
    },
    close: () => {
      os.close(fd);
    },
  };
}

export function readAll(fd: number, path: string, limitBytes: number = Infinity): ByteText {
  let content = '';
  while (content.length < limitBytes) {
    // Most files are read in one piece; larger ones in pieces of increasing size.
    const piece = native.read(fd, Math.max(firstPieceBytes, content.length));
    if (typeof piece === 'number') check(piece, 'read', path);
    if (typeof piece === 'number' || piece === '') break;
    content += piece;
  }
  return content;
}

function writeAll(fd: number, content: ByteText, path: string): void {
  let rest = content;
  while (rest !== '') rest = rest.slice(check(native.write(fd, rest), 'write', path));
}

const firstPieceBytes = 64 * 1024;
/** While it is written only this user can read the new file, since it may be a secret. */
const temporaryMode = 0o600;
const permissionBits = 0o7777;
/** chown(2): do not change this id. */
const keepOwner = -1;
const removeDepthMax = 64;
const none = -1;

/** Flags of open(2) that have the same value on every supported architecture. */
const closeOnExec = 0o2000000;
const flags = {
  read: closeOnExec,
  append: closeOnExec | 0o2001,
  appendNew: closeOnExec | 0o2101,
  createNew: closeOnExec | 0o301,
  write: closeOnExec | 0o1,
} as const;

let temporaries = 0;

/** A unique name: the count differs within a process, and the time differs between two processes with the same pid. */
function nextTemporary(): string {
  temporaries += 1;
  return `${temporaries}-${os.now().toString(36).replace('.', '')}`;
}

function withFile<T>(path: string, how: number, use: (fd: number) => T): T {
  const fd = check(os.open(path, how), 'open', path);
  try {
    return use(fd);
  } finally {
    os.close(fd);
  }
}

function withNewFile(path: string, mode: number, use: (fd: number) => void): void {
  const fd = check(os.open(path, flags.createNew, mode), 'create', path);
  try {
    use(fd);
  } finally {
    os.close(fd);
  }
}

function openAppend(path: string, mode: number, kind?: 'durable' | 'unsynced'): AppendFile {
  const created = kind === 'unsynced' ? none : os.open(path, flags.createNew, mode);
  if (created >= 0) {
    os.close(created);
    syncFolder(path);
  }
  const how = kind === 'unsynced' ? flags.appendNew : flags.append;
  const fd = check(os.open(path, how, mode), 'open', path);
  return {
    write: async (text) => {
      writeAll(fd, native.encode(text), path);
      if (kind === 'durable') check(native.sync(fd), 'sync', path);
    },
    sync: async () => {
      check(native.sync(fd), 'sync', path);
    },
    close: async () => {
      os.close(fd);
    },
  };
}

function syncFolder(path: string): void {
  withFile(folderOf(path), flags.read, (fd) => {
    check(native.sync(fd), 'sync', path);
  });
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash === -1) return '.';
  return slash === 0 ? '/' : path.slice(0, slash);
}

function describe({ mode, size, mtime, uid, gid, ino }: os.Stat): FileStat {
  return {
    kind: kindOf(mode),
    size,
    mtimeMs: mtime,
    mode: mode & permissionBits,
    uid,
    gid,
    inode: ino,
  };
}

function kindOf(mode: number): FileStat['kind'] {
  if ((mode & os.S_IFMT) === os.S_IFREG) return 'file';
  return (mode & os.S_IFMT) === os.S_IFDIR ? 'folder' : 'other';
}

function removeTree(path: string, depthLeft: number): void {
  const [stat, missing] = os.lstat(path);
  if (missing !== 0) return;
  if ((stat.mode & os.S_IFMT) === os.S_IFDIR && depthLeft > 0) {
    for (const name of os.readdir(path)[0]) {
      if (name !== '.' && name !== '..') removeTree(`${path}/${name}`, depthLeft - 1);
    }
  }
  check(os.remove(path), 'remove', path);
}

function makeFolders(path: string, mode: number): void {
  if (os.stat(path)[1] === 0) return;
  const parent = folderOf(path);
  if (parent !== path) makeFolders(parent, mode);
  const made = os.mkdir(path, mode);
  // Another process may have created it first.
  if (made < 0 && os.stat(path)[1] !== 0) check(made, 'make the folder', path);
}
