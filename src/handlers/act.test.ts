import { expect, test, describe } from 'vitest';
import { createServer, type AddressInfo } from 'node:net';

import { attempt } from '../../test/fixtures/processes/attempt.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { SpawnSpec } from '../platform/platform.ts';
import { nodeNetwork } from '../platform/network.ts';

test('a command hook starts its command as a process', async () => {
  const started: SpawnSpec[] = [];
  const processes = {
    spawn: (spec: SpawnSpec) => {
      started.push(spec);
      return {
        pid: 7,
        exited: Promise.resolve({ code: 3, signal: null }),
        signalGroup: () => undefined,
        groupAlive: () => false,
      };
    },
  };
  const handler = { kind: 'command', command: ['migrate', '--all'] } as const;
  const result = await attempt(handler, { platform: { ...nodePlatform, processes } });
  expect(started).toMatchObject([{ file: 'migrate', argv: ['migrate', '--all'], env: {} }]);
  expect(result).toMatchObject({ outcome: 'Failed', exitCode: 3 });
});

describe('a sleep hook', () => {
  test('succeeds after its duration, not before', async () => {
    const result = await attempt({ kind: 'sleep', seconds: 0.2 });
    expect(result).toMatchObject({ outcome: 'Succeeded', exitCode: null });
    expect(result.durationMs).toBeGreaterThanOrEqual(195);
    expect(result.reason).toBe('The sleep of 0.2 s is over.');
  });

  test('succeeds with a deadline equal to its duration', async () => {
    const result = await attempt({ kind: 'sleep', seconds: 0.1 }, { timeoutMs: 100 });
    expect(result.outcome).toBe('Succeeded');
  });

  test('times out at a shorter deadline, and is not started without any time', async () => {
    const late = await attempt({ kind: 'sleep', seconds: 60 }, { timeoutMs: 50 });
    expect(late.outcome).toBe('TimedOut');
    expect(late.reason).toBe('The sleep of 60 s did not end within 0.05 s.');
    const never = await attempt({ kind: 'sleep', seconds: 0 }, { timeoutMs: -5 });
    expect(never.outcome).toBe('TimedOut');
    expect(never.reason).toContain('it was not started');
  });

  test('ends when it is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 20);
    const result = await attempt({ kind: 'sleep', seconds: 60 }, { signal: controller.signal });
    expect(result.outcome).toBe('Cancelled');
    expect(result.durationMs).toBeLessThan(30_000);
  });
});

describe('a TCP hook', () => {
  test('succeeds and closes the connection when it is accepted, and fails when it is refused', async () => {
    let received = 0;
    let closed = false;
    const server = createServer((socket) => {
      socket.on('data', ({ length }) => (received += length)).on('close', () => (closed = true));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const open = await attempt({ kind: 'tcpSocket', host: '127.0.0.1', port });
    expect(open).toMatchObject({ outcome: 'Succeeded', exitCode: null });
    expect(open.reason).toBe(`The connection to 127.0.0.1 port ${port} was accepted.`);
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(true);
    expect(received).toBe(0);

    await new Promise((resolve) => server.close(resolve));
    const refused = await attempt({ kind: 'tcpSocket', host: '127.0.0.1', port });
    expect(refused).toMatchObject({ outcome: 'Failed' });
    expect(refused.reason).toContain('ECONNREFUSED');
  });

  test('fails for a host that does not exist', async () => {
    const result = await attempt({ kind: 'tcpSocket', host: 'nowhere.invalid', port: 1 });
    expect(result).toMatchObject({ outcome: 'Failed' });
    expect(result.reason).toContain('nowhere.invalid');
  });

  test('masks the secrets of its hook', async () => {
    const handler = { kind: 'tcpSocket', host: 'hunter22.invalid', port: 1 } as const;
    const { reason } = await attempt(handler, { secrets: ['hunter22'] });
    expect(reason).toContain('The connection to ***.invalid port 1 failed: ');
    expect(reason).not.toContain('hunter22');
  });

  test('rejects with ECANCELED when its signal is aborted', async () => {
    const controller = new AbortController();
    controller.abort();
    const target = { host: '127.0.0.1', port: 1, signal: controller.signal };
    await expect(nodeNetwork.tcpConnect(target)).rejects.toMatchObject({ code: 'ECANCELED' });
  });
});
