/** Reads the files of a sync plan and packs them for the containers. */
import type { ByteText, Files } from '../../../platform/platform.ts';
import { joinPaths } from '../config/paths.ts';
import type { SyncPlan } from './plan-sync.ts';
import type { Archive, Delivery } from './send-files.ts';

/** Maximum bytes, since the archive is kept in memory; more requires a build. */
export const MAX_SYNC_BYTES = 67_108_864;

/** `root`: the root of the container. Returns the end of a sentence if it fails. */
export async function makeDelivery(
  { copies, deletes }: Extract<SyncPlan, { kind: 'sync' }>,
  root: string,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<Delivery | string> {
  const entries: TarEntry[] = [];
  let bytes = 0;
  for (const { from, to } of copies) {
    const found = await files.stat(from).catch(() => null);
    if (found?.kind !== 'file') return `${from} is no longer a file`;
    bytes += found.size;
    if (bytes > MAX_SYNC_BYTES) return `what has changed is more than ${MAX_SYNC_BYTES} bytes`;
    entries.push({ name: to, mode: found.mode, content: await files.read(from) });
  }
  const below = entries.filter(({ name }) => isAbsolute(name));
  return {
    archives: [
      { folder: root, pieces: packed(below.map((one) => ({ ...one, name: one.name.slice(1) }))) },
      { folder: '.', pieces: packed(entries.filter(({ name }) => !isAbsolute(name))) },
    ].filter(({ pieces }) => pieces.length > 0),
    deletes: deletes.map((path) => (isAbsolute(path) ? joinPaths(root, path) : path)),
  };
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

function packed(entries: readonly TarEntry[]): Archive['pieces'] {
  return entries.length === 0 ? [] : tarBytes(entries);
}

export interface TarEntry {
  /** Relative, without "..": the receiver decides the directory. */
  readonly name: string;
  /** Permission bits. */
  readonly mode: number;
  readonly content: ByteText;
}

const BLOCK = 512;
const NAME_BYTES = 100;
const LONG_NAME = '././@LongLink';

/**
 * A tar archive in memory that every tar in a container can read: old headers, and the long names of GNU, since
 * busybox knows no others. Names are UTF-8; owners and times are omitted, since they would be this machine's. The
 * returned pieces are its consecutive bytes; the receiver creates directories. Pure.
 */
export function tarBytes(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer>[] {
  const pieces = entries.flatMap(({ name, mode, content }) => {
    const file = member({ name: encode(name), mode, type: '0' }, bytesOf(content));
    return encode(name).length > NAME_BYTES ? [...longName(name), ...file] : file;
  });
  // Two empty blocks mark the end.
  return [...pieces, new Uint8Array(2 * BLOCK)];
}

interface Header {
  readonly name: Uint8Array;
  readonly mode: number;
  readonly type: '0' | 'L';
}

function longName(name: string): Uint8Array<ArrayBuffer>[] {
  return member({ name: encode(LONG_NAME), mode: 0, type: 'L' }, encode(`${name}\0`));
}

function member(header: Header, content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const padding = (BLOCK - (content.length % BLOCK)) % BLOCK;
  return [headerOf(header, content.length), content, new Uint8Array(padding)];
}

/** Offsets of the fields are those of POSIX.1-1988. */
function headerOf({ name, mode, type }: Header, size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  block.set(name.subarray(0, NAME_BYTES), 0);
  block.set(octal(mode, 7), 100);
  block.set(octal(0, 7), 108);
  block.set(octal(0, 7), 116);
  block.set(octal(size, 11), 124);
  block.set(octal(0, 11), 136);
  // The checksum counts its own eight bytes as blanks.
  block.fill(' '.charCodeAt(0), 148, 156);
  block.set(encode(type), 156);
  block.set(encode('ustar  \0'), 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
}

function octal(value: number, digits: number): Uint8Array {
  return encode(`${value.toString(8).padStart(digits, '0')}\0`);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bytesOf(content: ByteText): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.length);
  for (let at = 0; at < content.length; at += 1) bytes[at] = content.charCodeAt(at);
  return bytes;
}
