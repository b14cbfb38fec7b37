import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';

import { attempt } from '../../test/fixtures/processes/attempt.ts';
import { nodeNetwork } from '../platform/network.ts';

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
