import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesFrame,
  FRAME_MAX_BYTES,
  frameReader,
  purposeFrame,
  wordFrame,
  type Frame,
} from './frames.ts';

const read = (text: string, pieces: readonly number[]): Frame[] => {
  const frames: Frame[] = [];
  const take = frameReader((frame) => frames.push(frame));
  let at = 0;
  for (const length of pieces) {
    take(text.slice(at, at + length));
    at += length;
  }
  take(text.slice(at));
  return frames;
};

describe('frames between supervisor and node', () => {
  it('are read back unchanged, however the bytes are split', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => String.fromCharCode(...all));
    const kind = fc.constantFrom('i', 'o', 'e', 'c');
    const frames = fc.array(fc.record({ kind, bytes }), { maxLength: 8 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(40), { maxLength: 60 }), (all, pieces) => {
        const text = all.map((frame) => bytesFrame(frame.kind, frame.bytes)).join('');
        expect(read(text, pieces)).toEqual(all);
      }),
    );
  });

  it('carry messages and purposes with any Unicode text', () => {
    const word = { kind: 'failed', code: 'ENOENT', message: 'größer ✓ 😀' } as const;
    const purpose = { kind: 'signal', signal: 'SIGTERM' } as const;
    expect(read(wordFrame(word) + purposeFrame(purpose), [3])).toEqual([
      { kind: 'w', word },
      { kind: 'p', purpose },
    ]);
  });

  it('are refused when they are of an unknown kind or too long', () => {
    const head = (length: number): string =>
      String.fromCharCode(length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255);
    expect(() => read(`?${head(0)}`, [])).toThrow(/no frame is of kind "\?"/);
    expect(() => read(`i${head(FRAME_MAX_BYTES + 1)}`, [])).toThrow(/frame of \d+ bytes/);
    expect(() => read(`i${head(0xffff_ffff)}`, [])).toThrow(/4294967295 bytes/);
  });
});
