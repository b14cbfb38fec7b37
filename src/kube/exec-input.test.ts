import { describe, expect, it } from 'vitest';

import { chunks, runExec } from '../../test/fixtures/kube/run-exec.ts';
import type { Peer } from '../../test/fixtures/kube/stream-server.ts';

describe('the input of a command', () => {
  it('is closed by a frame of its own', async () => {
    const serve = async (peer: Peer): Promise<void> => {
      await peer.received(3);
      await peer.exit(0);
    };
    const { result, peers, paths } = await runExec({ serve }, { stdin: chunks('ab', 'cd') });
    expect(peers[0]?.frames).toEqual([
      [0, 'ab'],
      [0, 'cd'],
      [255, '\0'],
    ]);
    expect(result).toEqual({ outcome: 'exited', exitCode: 0 });
    expect(paths[0]).toContain('stdin=true');
  });

  it('is split into frames of a size that every server accepts', async () => {
    const serve = async (peer: Peer): Promise<void> => {
      await peer.received(4);
      await peer.exit(0);
    };
    const { peers } = await runExec({ serve }, { stdin: chunks('x'.repeat(100_000)) });
    const sizes = peers[0]?.frames.map(([, text]) => text.length);
    expect(sizes).toEqual([32_768, 32_768, 32_768, 1696, 1]);
  });

  it('does not delay the result of a command that exited without reading it', async () => {
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };
    const { result } = await runExec({ serve: (peer) => peer.exit(5) }, { stdin: never });
    expect(result).toEqual({ outcome: 'exited', exitCode: 5 });
  });

  it('makes the outcome unknown when it cannot be read', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('disk on fire');
    }
    const { result } = await runExec({}, { stdin: broken() });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'inputFailed' });
    expect(result).toHaveProperty('reason', expect.stringContaining('disk on fire'));
  });
});
