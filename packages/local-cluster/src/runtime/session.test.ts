import { describe, expect, it } from 'vitest';
import { ByteQueue } from './session.ts';

const piece = (length: number): Uint8Array => new Uint8Array(length);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ByteQueue', () => {
  it('blocks its writer while it is full', async () => {
    const queue = new ByteQueue();
    let pushed = 0;
    const push = async (): Promise<void> => {
      for (let count = 0; count < 10; count += 1) {
        await queue.push(piece(100 * 1024));
        pushed += 1;
      }
      queue.end();
    };
    const pushing = push();
    await turn();
    expect(pushed).toBe(2);
    let read = 0;
    for await (const { length } of queue) read += length;
    await pushing;
    expect([pushed, read]).toEqual([10, 10 * 100 * 1024]);
  });

  it('releases its writer when it ends, and its reader still gets the rest', async () => {
    const queue = new ByteQueue();
    const pushing = queue.push(piece(1024 * 1024));
    queue.end();
    await pushing;
    await queue.push(piece(7));
    let read = 0;
    for await (const { length } of queue) read += length;
    expect(read).toBe(1024 * 1024);
  });
});
