import { constants, createDeflate, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { readBuffered } from '../../test/fixtures/read-buffered.ts';
import { nodeInflating } from './inflating.ts';

const dictionary = new TextEncoder().encode('streamtype port requestid data error');

/** The pieces of one compressed stream; each text is flushed as one piece. */
async function deflated(...texts: readonly string[]): Promise<Buffer[]> {
  const stream = createDeflate({ dictionary });
  const pieces: Buffer[] = [];
  for (const text of texts) {
    stream.write(text);
    await new Promise<void>((resolve) => {
      stream.flush(constants.Z_SYNC_FLUSH, resolve);
    });
    pieces.push(readBuffered(stream));
  }
  return pieces;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('an inflater', () => {
  it('inflates each piece at once, with the earlier pieces and the shared dictionary', async () => {
    const [first, second] = await deflated('streamtype data', 'streamtype data once more');
    const inflater = nodeInflating.open(dictionary);
    expect(text(await inflater.inflate(first as Buffer, 100))).toBe('streamtype data');
    expect(text(await inflater.inflate(second as Buffer, 100))).toBe('streamtype data once more');
    inflater.close();
  });

  it('inflates pieces of many times the size of its buffers', async () => {
    const long = 'abcdefgh'.repeat(50_000);
    const [piece] = await deflated(long);
    const inflater = nodeInflating.open(dictionary);
    expect(text(await inflater.inflate(piece as Buffer, 400_000))).toBe(long);
    inflater.close();
  });

  it('refuses a piece that inflates beyond its limit', async () => {
    const [piece] = await deflated('x'.repeat(1_000_000));
    const inflater = nodeInflating.open(dictionary);
    await expect(inflater.inflate(piece as Buffer, 1_000)).rejects.toThrow('more than 1000 bytes');
    await expect(inflater.inflate(piece as Buffer, 1_000)).rejects.toThrow();
  });

  it('refuses damaged data, and data of another dictionary', async () => {
    const damaged = nodeInflating.open(dictionary);
    await expect(damaged.inflate(Buffer.from('no zlib'), 100)).rejects.toThrow();
    const other = nodeInflating.open(new TextEncoder().encode('other words'));
    const piece = deflateSync('streamtype', { dictionary });
    await expect(other.inflate(piece, 100)).rejects.toThrow();
  });

  it('rejects after it was closed', async () => {
    const inflater = nodeInflating.open(dictionary);
    inflater.close();
    await expect(inflater.inflate(Buffer.from([0x78]), 100)).rejects.toThrow();
  });
});
