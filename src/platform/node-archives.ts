import { createHash, type Hash } from 'node:crypto';
import * as fs from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';

import type { ArchiveLimits, Archives, Unpacked, UnpackOptions } from './archives.ts';
import { LayerUnpacker } from './node-layer.ts';
import { posixError } from './posix-error.ts';

/** Archives over `node:fs` and the parser of the package tar. */
export const nodeArchives: Archives = { unpack, digest, copyFolder, removeFolder };

const pieceBytes = 256 * 1024;
/** Number of entries that are handled before other events get their turn. */
const entriesAtOnce = 64;

async function unpack(path: string, root: string, options: UnpackOptions): Promise<Unpacked> {
  const hash = createHash('sha256');
  const unpacker = new LayerUnpacker(root, options);
  let bytes = 0;
  for await (const piece of await plainBytes(path)) {
    bytes += piece.length;
    if (bytes > options.maxBytes) throw tooLarge(options);
    hash.update(piece);
    unpacker.write(piece);
  }
  unpacker.end();
  const { entries, leftOut } = unpacker;
  return { digest: `sha256:${hash.digest('hex')}`, bytes, entries, leftOut };
}

/** The bytes of the archive, uncompressed. */
async function plainBytes(path: string): Promise<AsyncIterable<Buffer>> {
  const compression = await compressionOf(path);
  if (compression === 'zstd') {
    throw posixError(
      'ENOTSUP',
      'it is compressed with zstd, which this version of Node cannot read: convert it with "zstd -d", or save the image with gzip or without compression',
    );
  }
  const file = fs.createReadStream(path, { highWaterMark: pieceBytes });
  return compression === 'none' ? (file as AsyncIterable<Buffer>) : gunzip(file);
}

async function* gunzip(file: fs.ReadStream): AsyncGenerator<Buffer> {
  const plain = createGunzip({ chunkSize: pieceBytes });
  file.on('error', (error) => plain.destroy(error));
  try {
    for await (const piece of file.pipe(plain)) yield piece as Buffer;
  } catch (error) {
    throw posixError('EBADMSG', `its compression is damaged (${String(error)})`, error);
  } finally {
    file.destroy();
  }
}

async function compressionOf(path: string): Promise<'none' | 'gzip' | 'zstd'> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const head = buffer.toString('hex', 0, bytesRead);
    if (head.startsWith('1f8b')) return 'gzip';
    return head === '28b52ffd' ? 'zstd' : 'none';
  } finally {
    await file.close();
  }
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of fs.createReadStream(path, { highWaterMark: pieceBytes }))
    hash.update(piece as Buffer);
  return `sha256:${hash.digest('hex')}`;
}

interface Copying {
  readonly hash: Hash;
  readonly limits: ArchiveLimits;
  readonly count: { bytes: number; entries: number; leftOut: number };
}

async function copyFolder(from: string, to: string, limits: ArchiveLimits): Promise<Unpacked> {
  const copying = {
    hash: createHash('sha256'),
    limits,
    count: { bytes: 0, entries: 0, leftOut: 0 },
  };
  await copyInto(copying, from, to);
  return { digest: `sha256:${copying.hash.digest('hex')}`, ...copying.count };
}

async function copyInto(copying: Copying, from: string, to: string): Promise<void> {
  const { hash, count, limits } = copying;
  const stats = fs.lstatSync(from);
  fs.mkdirSync(to, { recursive: true });
  for (const name of fs.readdirSync(from).toSorted()) {
    count.entries += 1;
    if (count.entries % entriesAtOnce === 0) await new Promise(setImmediate);
    if (count.entries > limits.maxEntries) throw tooLarge(limits);
    const [source, target] = [join(from, name), join(to, name)];
    const child = fs.lstatSync(source);
    hash.update(`${name}\0${child.mode}\0${child.isFile() ? child.size : 0}\0`);
    if (child.isDirectory()) {
      await copyInto(copying, source, target);
      hash.update('\0');
    } else if (child.isSymbolicLink()) {
      const link = fs.readlinkSync(source);
      hash.update(`${link}\0`);
      fs.symlinkSync(link, target);
    } else if (child.isFile()) {
      count.bytes += child.size;
      if (count.bytes > limits.maxBytes) throw tooLarge(limits);
      if (child.size > pieceBytes) await copyFile(copying, source, target);
      else copySmallFile(copying, source, target);
      like(target, child);
    } else {
      count.leftOut += 1;
    }
  }
  like(to, stats);
}

/** Synchronous, since for a small file several asynchronous calls cost more than the copy itself. */
function copySmallFile({ hash }: Copying, from: string, to: string): void {
  const bytes = fs.readFileSync(from);
  hash.update(bytes);
  fs.writeFileSync(to, bytes, { flag: 'wx', mode: 0o600 });
}

async function copyFile({ hash }: Copying, from: string, to: string): Promise<void> {
  const target = await open(to, 'wx', 0o600);
  try {
    for await (const piece of fs.createReadStream(from, { highWaterMark: pieceBytes })) {
      hash.update(piece as Buffer);
      await target.writeFile(piece as Buffer);
    }
  } finally {
    await target.close();
  }
}

function like(path: string, { uid, gid, mode }: fs.Stats): void {
  if (process.getuid?.() === 0) fs.chownSync(path, uid, gid);
  fs.chmodSync(path, mode & 0o7777);
}

async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // Only root can empty a directory without the write permission, so that permission is added first.
    openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

function openFolders(path: string): void {
  fs.chmodSync(path, 0o700);
  for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(path, entry.name));
  }
}

function tooLarge({ maxBytes, maxEntries }: ArchiveLimits): Error {
  return posixError('EFBIG', `it unpacks to more than ${maxBytes} bytes or ${maxEntries} entries`);
}
