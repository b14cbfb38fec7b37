import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

import { HandTimers } from '../../test/fixtures/kube/hand-timers.ts';
import { chunks, runExec } from '../../test/fixtures/kube/run-exec.ts';
import type { Peer } from '../../test/fixtures/kube/stream-server.ts';
import { pingAfterMs, pongWithinMs } from './stream-pump.ts';

/** A timeout that no machine reaches, for events that happen within a moment. */
const soon = { timeout: 20_000 };

describe('a command without an exit status', () => {
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
    ['closed with a reason', close(1011, 'going down'), '(1011): going down'],
  ])('has an unknown outcome when the connection is %s', async (_how, end, why) => {
    let stdout = '';
    let read = (): void => undefined;
    const wasRead = new Promise<void>((resolve) => (read = resolve));
    const serve = async (peer: Peer): Promise<void> => {
      await peer.send(1, 'so far');
      await wasRead;
      end(peer);
    };
    const onOutput = (_stream: string, bytes: Uint8Array): void => {
      stdout += Buffer.from(bytes).toString();
      read();
    };
    const { result } = await runExec({ serve }, { onOutput });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'lost' });
    expect(result).toHaveProperty('reason', expect.stringContaining(why));
    expect(stdout).toBe('so far');
  });

  it('has an unknown outcome when the status is garbage, and quotes the garbage in the reason', async () => {
    const { result } = await runExec({
      serve: async (peer) => {
        await peer.send(3, '{"status":');
        peer.ws.close(1000);
      },
    });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'lost' });
    expect(result).toHaveProperty(
      'reason',
      expect.stringContaining('the server sent an invalid status: "{\\"status\\":"'),
    );
  });

  it('has an unknown outcome when a message names no channel; frames of an unknown channel are ignored', async () => {
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

  it('has an unknown outcome when the server stops answering pings', async () => {
    const { result } = await runExec({ autoPong: false, speed: 200 });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'stalled' });
  });

  it('is waited for as long as the server answers pings', async () => {
    const timers = new HandTimers();
    let pings = 0;
    const { result, peers } = await runExec({
      timers,
      serve: async (peer) => {
        peer.ws.on('ping', () => {
          pings += 1;
        });
        for (let round = 1; round <= 3; round += 1) {
          await timers.reached(2 * round - 1);
          await timers.expire(pingAfterMs);
          // Waits for two more timers: the one of the pong, and, after the pong has arrived, the one of the next ping.
          await timers.reached(2 * round + 1);
        }
        await peer.exit(0);
      },
    });
    expect(pings).toBe(3);
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(peers).toHaveLength(1);
  });

  it('is not judged stalled while a slow output listener keeps the pong from being read', async () => {
    const timers = new HandTimers();
    const whileHeld: number[] = [];
    const { result } = await runExec(
      {
        timers,
        serve: async (peer) => {
          for (let count = 0; count < 3; count += 1) await peer.send(1, Buffer.alloc(300_000));
          await peer.exit(0);
        },
      },
      {
        onOutput: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          whileHeld.push(...timers.waiting);
        },
      },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(timers.count).toBeGreaterThan(0);
    expect(whileHeld).toEqual([]);
  });

  it('is waited for without a pong while the server may be blocked by unread input', async () => {
    const timers = new HandTimers();
    const { result } = await runExec(
      {
        autoPong: false,
        timers,
        serve: async (peer) => {
          await peer.received(2);
          await timers.expire(pingAfterMs);
          for (let times = 0; times < 4; times += 1) await timers.expire(pongWithinMs);
          await peer.exit(0);
        },
      },
      { stdin: chunks('input') },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  it('has an unknown outcome after its timeout, and closes the connection', async () => {
    const timers = new HandTimers();
    const { result, peers } = await runExec(
      { timers, serve: (peer) => peer.send(1, 'x') },
      { timeoutMs: 80, onOutput: () => timers.expire(80) },
    );
    expect(result).toEqual({
      outcome: 'unknown',
      cause: 'timedOut',
      reason: 'had not ended after 80 ms',
    });
    await expect.poll(() => peers[0]?.ws.readyState, soon).toBe(3);
  });

  it('has an unknown outcome when it is cancelled, also while the output listener is blocked', async () => {
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
    await expect.poll(() => peers[0]?.ws.readyState, soon).toBe(3);
  });

  it('keeps its known exit code when only its output was not consumed before the timeout', async () => {
    const timers = new HandTimers();
    const { result } = await runExec(
      {
        timers,
        serve: async (peer) => {
          const closed = once(peer.ws, 'close');
          await peer.send(1, 'x');
          await peer.exit(7);
          // The client answers the close only after it has read everything before it.
          await closed;
          await timers.expire(100);
        },
      },
      { timeoutMs: 100, onOutput: () => new Promise(() => undefined) },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 7 });
  });
});
