import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';

import type { AppendFile, ByteText, Files, FileStat } from './platform.ts';
import { codeOf, withPath } from './posix-error.ts';
import { readFile } from './read-file.ts';

/**
 * Files over `node:fs`. When the call returns, a new, replaced, renamed or truncated file is durable, including its
 * name: the file is synced before its directory. So is the name of each created directory. A removal is not synced, nor
 * is what `Files` calls unsynced.
 */
export const nodeFiles: Files = {
  read: readFile,
  readStart,
  stat: async (path) => describe(await fs.stat(path)),
  list: (path) => fs.readdir(path),
  replace,
  create,
  openAppend,
  truncate,
  async rename(from, to, kind): Promise<void> {
    await fs.rename(from, to);
    if (kind !== 'unsynced') await syncFolder(dirname(to));
  },
  remove: (path) => fs.rm(path, { recursive: true, force: true }),
  makeFolder,
  realPath: (path) => fs.realpath(path),
  async readLink(path): ReturnType<Files['readLink']> {
    try {
      const { uid } = await fs.lstat(path);
      return { target: await fs.readlink(path), uid };
    } catch {
      // EINVAL: the path is not a link.
      return null;
    }
  },
};

/** While it is written only this user can read the new file, since it may be a secret. */
const temporaryMode = 0o600;
const permissionBits = 0o7777;
/** chown(2): do not change this id. */
const keepOwner = -1;

async function replace(
  path: string,
  content: ByteText,
  like: { mode: number; uid?: number; gid?: number },
): Promise<void> {
  // The temporary name does not contain the file's name, which may already have the maximum length. It does not end in
  // .json, since every file of that ending in a directory of hook files is read.
  const name = `.lifehook-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  const temporary = join(dirname(path), name);
  try {
    await withFile(await fs.open(temporary, 'wx', temporaryMode), async (file) => {
      await writeBytes(file, content);
      if (like.uid !== undefined || like.gid !== undefined) {
        await file.chown(like.uid ?? keepOwner, like.gid ?? keepOwner);
      }
      // After chown, which clears the set-user-ID bits. chmod also sets the bits that the umask has removed.
      await file.chmod(like.mode);
      await file.sync();
    });
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw withPath(error, path);
  }
  await syncFolder(dirname(path));
}

/**
 * Creates a file, and makes its name durable: without its name, a journal would be lost together with its synced
 * content.
 */
async function create(path: string, content: ByteText, mode: number): Promise<void> {
  const file = await fs.open(path, 'wx', mode);
  await named(path, () =>
    withFile(file, async () => {
      await writeBytes(file, content);
      await file.chmod(mode);
      await file.sync();
    }),
  );
  await syncFolder(dirname(path));
}

const { O_APPEND, O_DSYNC, O_WRONLY } = fs.constants;
const DURABLE_APPEND = O_WRONLY | O_APPEND | O_DSYNC;

async function openAppend(
  path: string,
  mode: number,
  kind?: 'durable' | 'unsynced',
): Promise<AppendFile> {
  try {
    // Otherwise the open below would create the file, and its name might not reach the disk.
    if (kind !== 'unsynced') await create(path, '', mode);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const durable = kind === 'durable';
  // With this flag a durable append needs one system call instead of two. On other systems the flag does not flush the
  // cache of the disk.
  const flags = durable && platform() === 'linux' ? DURABLE_APPEND : 'a';
  const file = await fs.open(path, flags, mode);
  return {
    write: (text) =>
      named(path, async () => {
        await writeAll(file, Buffer.from(text, 'utf8'));
        if (durable && flags === 'a') await file.datasync();
      }),
    sync: () => named(path, () => file.datasync()),
    close: () => file.close(),
  };
}

/** Appends the bytes. Needs one call of Node for most texts. Its `appendFile` takes four steps for the same write. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, from);
    from += bytesWritten;
  }
}

async function readStart(path: string, bytes: number): Promise<ByteText> {
  const file = await fs.open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

async function truncate(path: string, size: number): Promise<void> {
  await withFile(await fs.open(path, 'r+'), async (file) => {
    await file.truncate(size);
    await file.sync();
  });
}

async function makeFolder(path: string, mode: number): Promise<void> {
  const created = await makeFolders(path, mode);
  if (created.length === 0) return;
  await fs.chmod(path, mode);
  for (const one of created) await syncFolder(dirname(one));
}

export function describe(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    mode: stats.mode & permissionBits,
    uid: stats.uid,
    gid: stats.gid,
    inode: stats.ino,
  };
}

function kindOf(stats: Stats): FileStat['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

async function writeBytes(file: FileHandle, content: ByteText): Promise<void> {
  const bytes = Buffer.from(content, 'latin1');
  // latin1 drops the upper half of a wider character without an error, which would damage a user's file.
  if (bytes.toString('latin1') !== content) {
    throw new TypeError('The content must be ByteText: a character above 255 was received.');
  }
  await file.writeFile(bytes);
}

async function withFile(
  file: FileHandle,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

async function named(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw withPath(error, path);
  }
}

async function syncFolder(path: string): Promise<void> {
  await withFile(await fs.open(path, 'r'), (folder) => folder.sync());
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Creates a directory and its missing parents, each by one call. `recursive: true` of Node retries for ever if a parent
 * exists and the kernel still answers ENOENT, as in /proc. Resolves with the created directories. Rejects as mkdir(2)
 * does.
 */
async function makeFolders(path: string, mode: number): Promise<readonly string[]> {
  const wanted = [path];
  for (let at = dirname(path); !(await exists(at)); at = dirname(at)) wanted.unshift(at);
  const made: string[] = [];
  for (const one of wanted) if (await makeOne(one, mode)) made.push(one);
  return made;
}

async function exists(path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Resolves with false if another process created it. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await fs.mkdir(path, { mode });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await fs.stat(path)).isDirectory()) return false;
    throw error;
  }
}
