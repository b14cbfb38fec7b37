/**
 * Reads a whole file. It never waits until another process opens a pipe: that wait would occupy a thread of Node, and
 * the program could not exit before it has ended.
 */
import { constants as bufferConstants } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import type { ByteText } from './platform.ts';
import { codeOf, posixError, withPath } from './posix-error.ts';

/** O_NONBLOCK has no effect on regular files. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
/** A string has at most so many characters. */
const BYTES_MAX = bufferConstants.MAX_STRING_LENGTH;
const TOO_LARGE = `EFBIG: the file has more than ${BYTES_MAX} bytes`;
/** Bytes. A larger file is read in pieces. */
const AT_ONCE_MAX = 524_288;

/** Reads a pipe until its writers close it. Rejects with ENXIO for a pipe that no process has opened for writing, and with EFBIG for a
 * file that no string can hold. */
export async function readFile(path: string): Promise<ByteText> {
  const file = await open(path, FLAGS);
  try {
    const stats = await file.stat();
    if (stats.isFIFO()) return await readPipe(file);
    if (stats.size > BYTES_MAX)
      throw Object.assign(posixError('EFBIG', TOO_LARGE), { syscall: 'read' });
    return (await readAtOnce(file, stats.size)) ?? (await file.readFile('latin1'));
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** One call instead of the two of `FileHandle.readFile`. null: the size is unknown, as in /proc, or is wrong. */
async function readAtOnce(file: FileHandle, size: number): Promise<ByteText | null> {
  if (size === 0 || size > AT_ONCE_MAX) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return bytesRead === size ? buffer.toString('latin1') : null;
}

const NO_WRITER = 'ENXIO: no process writes to the pipe';
const PIECE_BYTES = 65_536;
/** Milliseconds between two looks at a pipe that is open and empty. */
const PIPE_POLL_MS = 20;

async function readPipe(file: FileHandle): Promise<ByteText> {
  const pieces: string[] = [];
  for (let isOpen = false; ; isOpen = true) {
    const piece = await nextPiece(file);
    if (piece === '') {
      if (isOpen) return pieces.join('');
      throw Object.assign(posixError('ENXIO', NO_WRITER), { syscall: 'read' });
    }
    if (piece === null) await wait(PIPE_POLL_MS);
    else pieces.push(piece);
  }
}

/** null: the pipe is open and empty; '': no process has opened it for writing. */
async function nextPiece(file: FileHandle): Promise<ByteText | null> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, null);
    return buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return null;
    throw error;
  }
}
