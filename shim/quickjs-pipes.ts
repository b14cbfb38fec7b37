import * as native from 'lifehook:native';
import * as os from 'qjs:os';

import type { ByteText } from '../src/platform/platform.ts';
import { check } from './errno.ts';

export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/** Opens a pipe. The end that `ours` names never blocks. Children do not inherit the ends by default. */
export function openPipe(ours: 'read' | 'write'): Pipe {
  const ends = native.pipe(ours === 'read' ? 0 : 1);
  if (typeof ends === 'number') throw new Error(`no pipe: ${check(ends, 'open', 'a pipe')}`);
  return { read: ends[0], write: ends[1] };
}

/** Writes the bytes as fast as the reader reads them, then closes. Stops early if the reader closes the pipe. */
export function feed(fd: number, content: ByteText): void {
  let rest = content;
  const writeSome = (): void => {
    while (rest !== '') {
      const taken = native.write(fd, rest.slice(0, pieceBytes));
      if (taken === tryAgain) return;
      rest = taken < 0 ? '' : rest.slice(taken);
    }
    os.setWriteHandler(fd, null);
    os.close(fd);
  };
  os.setWriteHandler(fd, writeSome);
  writeSome();
}

export interface Pump {
  /** Delivers the bytes that are still in the pipe. */
  drain(): void;
  close(): void;
}

/** Delivers the bytes that arrive on the descriptor as text; no character is split between two calls. */
export function pump(fd: number, deliver: (text: string, byteLength: number) => void): Pump {
  let carried: ByteText = '';
  const bytes = bytePump(fd, (piece) => {
    const whole = carried + piece;
    carried = unfinishedTail(whole);
    deliver(native.decode(whole.slice(0, whole.length - carried.length)), piece.length);
  });
  return {
    drain: () => {
      bytes.drain();
    },
    close: () => {
      const rest = carried;
      carried = '';
      if (rest !== '') deliver(native.decode(rest), 0);
      bytes.close();
    },
  };
}

/** Delivers the bytes that arrive on the descriptor, as they arrive. */
export function bytePump(fd: number, deliver: (bytes: ByteText) => void): Pump {
  let closed = false;
  const piece = (): number => {
    const bytes = native.read(fd, pieceBytes);
    if (typeof bytes === 'number') return 0;
    if (bytes !== '') deliver(bytes);
    else os.setReadHandler(fd, null);
    return bytes.length;
  };
  os.setReadHandler(fd, piece);
  return {
    drain: () => {
      let total = 0;
      for (let got = piece(); got > 0 && total < drainBytesMax; got = piece()) total += got;
    },
    close: () => {
      if (closed) return;
      closed = true;
      os.setReadHandler(fd, null);
      os.close(fd);
    },
  };
}

/** Delivers every byte that arrives until the last writer has closed the pipe. */
export function pumpBytes(
  fd: number,
  { onData, onEnd }: { onData: (bytes: ByteText) => void; onEnd: () => void },
): void {
  os.setReadHandler(fd, () => {
    const bytes = native.read(fd, pieceBytes);
    if (typeof bytes === 'number') return;
    if (bytes !== '') {
      onData(bytes);
      return;
    }
    os.setReadHandler(fd, null);
    os.close(fd);
    onEnd();
  });
}

/** Bytes that a pipe holds by default; one read or write never moves more. */
const pieceBytes = 64 * 1024;
/**
 * Maximum number of bytes that `drain` reads, more than a pipe holds. Further bytes were written by other processes
 * after the exit.
 */
const drainBytesMax = 1024 * 1024;
const tryAgain = -11;

/** The incomplete UTF-8 sequence at the end of `bytes`; '' if there is none. */
function unfinishedTail(bytes: ByteText): ByteText {
  return unfinished.exec(bytes.slice(-3))?.[0] ?? '';
}

const unfinished = /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/;
