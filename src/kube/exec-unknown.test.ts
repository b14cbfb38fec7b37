import { describe, expect, it } from 'vitest';

import { chunks, runExec } from '../../test/fixtures/kube/run-exec.ts';
import type { Peer } from '../../test/fixtures/kube/stream-server.ts';

describe('a command whose end is not told', () => {
  const drop = (peer: Peer): unknown => peer.tcp.resetAndDestroy();
  const close =
    (code: number, reason = '') =>
    (peer: Peer): unknown => {
      peer.ws.close(code, reason);
      return null;
    };

  it.each([
    ['dropped', drop, 'the connection broke'],
    ['closed', close(1000), 'the server closed it (1000)'],
    ['closed with words', close(1011, 'going down'), '(1011): going down'],
  ])('is unknown when the connection is %s', async (_how, end, why) => {
    const serve = async (peer: Peer): Promise<void> => {
      await peer.send(1, 'so far');
      await new Promise((resolve) => setTimeout(resolve, 20));
      end(peer);
    };
    const { result, stdout } = await runExec({ serve });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'lost' });
    expect(result).toHaveProperty('reason', expect.stringContaining(why));
    expect(stdout).toBe('so far');
  });

  it('is unknown when the status is garbage, which is shown', async () => {
    const { result } = await runExec({
      serve: async (peer) => {
        await peer.send(3, '{"status":');
        peer.ws.close(1000);
      },
    });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'lost' });
    expect(result).toHaveProperty('reason', expect.stringContaining('no status: "{\\"status\\":"'));
  });

  it('is unknown when a message names no channel; a channel that nobody knows is passed over', async () => {
    const { result, stdout } = await runExec({
      serve: async (peer) => {
        await peer.send(9, 'what is this');
        await peer.send(255, '\u0001');
        await peer.send(1, 'x');
        peer.ws.send(Buffer.alloc(0));
      },
    });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'garbled' });
    expect(stdout).toBe('x');
  });

  it('is unknown when the peer stops answering', async () => {
    const { result } = await runExec({ autoPong: false, speed: 200 });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'stalled' });
  });

  it('is waited for as long as the peer answers', async () => {
    const { result, peers } = await runExec({
      speed: 200,
      serve: async (peer) => {
        let pings = 0;
        peer.ws.on('ping', () => {
          pings += 1;
          if (pings === 3) void peer.exit(0);
        });
      },
    });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(peers).toHaveLength(1);
  });

  it('is waited for while a slow reader of ours keeps the pong from being seen', async () => {
    const { result } = await runExec(
      {
        speed: 1000,
        serve: async (peer) => {
          for (let count = 0; count < 3; count += 1) await peer.send(1, Buffer.alloc(300_000));
          await peer.exit(0);
        },
      },
      { onOutput: () => new Promise((resolve) => setTimeout(resolve, 100)) },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  it('is waited for while the server may be held up by input that is not taken', async () => {
    const { result } = await runExec(
      {
        autoPong: false,
        speed: 500,
        serve: (peer) => {
          setTimeout(() => void peer.exit(0), 200);
        },
      },
      { stdin: chunks('input') },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  it('is left at its deadline, and may run on', async () => {
    const startedMs = performance.now();
    const { result, peers } = await runExec(
      { serve: (peer) => peer.send(1, 'x') },
      { timeoutMs: 80 },
    );
    expect(performance.now() - startedMs).toBeLessThan(1500);
    expect(result).toEqual({
      outcome: 'unknown',
      cause: 'timedOut',
      reason: 'had not ended after 80 ms',
      stdinClosed: null,
    });
    await expect.poll(() => peers[0]?.ws.readyState).toBe(3);
  });

  it('is left when it is cancelled, also while its output is held up', async () => {
    const controller = new AbortController();
    const { result, peers } = await runExec(
      { serve: (peer) => peer.send(1, 'x') },
      {
        signal: controller.signal,
        onOutput: () => {
          controller.abort();
          return new Promise(() => undefined);
        },
      },
    );
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'cancelled' });
    await expect.poll(() => peers[0]?.ws.readyState).toBe(3);
  });

  it('is known when only its output was not taken until the deadline', async () => {
    const { result } = await runExec(
      {
        serve: async (peer) => {
          await peer.send(1, 'x');
          await peer.exit(7);
        },
      },
      { timeoutMs: 100, onOutput: () => new Promise(() => undefined) },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 7 });
  });
});
