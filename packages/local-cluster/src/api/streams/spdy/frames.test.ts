import { constants, createInflate, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { headerDictionary, noHeaders, readHeaders } from './serve-spdy-ports.ts';
import {
  dataFrame,
  pingFrame,
  readFrames,
  replyFrame,
  resetFrame,
  type SpdyFrame,
} from './frames.ts';

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function framesOf(bytes: Uint8Array, size: number): Promise<SpdyFrame[]> {
  const frames: SpdyFrame[] = [];
  for await (const frame of readFrames(piecesOf(bytes, size))) frames.push(frame);
  return frames;
}

const bytes = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

describe('SPDY frames', () => {
  it('are read however the bytes are split into messages', async () => {
    const whole = bytes(
      [0x80, 3, 0, 1, 1, 0, 0, 12, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 9, 9],
      dataFrame(5, bytes([1, 2, 3]), false),
      dataFrame(5, bytes(), true),
      [0x80, 3, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0],
      pingFrame(bytes([0, 0, 0, 1])),
      resetFrame(5, 1),
    );
    const expected = [
      { kind: 'open', stream: 5, last: true, headers: bytes([9, 9]) },
      { kind: 'data', stream: 5, last: false, bytes: bytes([1, 2, 3]) },
      { kind: 'data', stream: 5, last: true, bytes: bytes() },
      { kind: 'other' },
      { kind: 'ping', id: bytes([0, 0, 0, 1]) },
      { kind: 'reset', stream: 5 },
    ];
    for (const size of [1, 2, 7, 1_000]) expect(await framesOf(whole, size)).toEqual(expected);
  });

  it('are rejected when they are too long, too short or of another version', async () => {
    await expect(framesOf(bytes([0, 0, 0, 1, 0, 0x10, 0, 1]), 8)).rejects.toThrow('too long');
    await expect(framesOf(bytes([0x80, 3, 0, 3, 0, 0, 0, 2, 0, 0]), 99)).rejects.toThrow('short');
    await expect(framesOf(bytes([0x80, 2, 0, 6, 0, 0, 0, 0]), 99)).rejects.toThrow('version 2');
  });
});

describe('SPDY headers', () => {
  it('are read, and refused when they are truncated', () => {
    const block = bytes([0, 0, 0, 1, 0, 0, 0, 4], Buffer.from('Port'), [0, 0, 0, 2], [0x38, 0x30]);
    expect([...readHeaders(block)]).toEqual([['port', '80']]);
    expect(() => readHeaders(block.subarray(0, -1))).toThrow('truncated');
    expect(() => readHeaders(bytes([0, 0, 0, 2]))).toThrow('truncated');
  });

  it('of replies are one zlib stream, which can be read after each reply', async () => {
    const stream = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    for (const first of [true, false, false]) {
      await new Promise<void>((resolve) => {
        stream.write(noHeaders(first), () => {
          resolve();
        });
      });
      expect(stream.read()).toEqual(Buffer.from([0, 0, 0, 0]));
      // A reader in Go fails at the second reply unless each reply ends with the empty block of a flush.
      expect([...noHeaders(first).subarray(-5)]).toEqual([0, 0, 0, 0xff, 0xff]);
    }
    expect(replyFrame(7, noHeaders(true)).subarray(0, 12)).toEqual(
      new Uint8Array([0x80, 3, 0, 2, 0, 0, 0, 20, 0, 0, 0, 7]),
    );
  });

  it('are compressed with the exact dictionary of SPDY/3.1', () => {
    expect(headerDictionary).toHaveLength(1423);
    // A zlib stream names its dictionary by its checksum, which for SPDY/3.1 is e3c6a7c2.
    const stream = Buffer.from('78bbe3c6a7c2030000000001', 'hex');
    expect(inflateSync(stream, { dictionary: headerDictionary })).toHaveLength(0);
  });
});
