import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

import type { HttpTransport, MessageSocket } from './http-transport.ts';
import { nodeHttpTransport } from './node-http-transport.ts';
import type { NodeTransportOptions } from './node-server-link.ts';

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A server that passes each of its sockets to `use`. */
async function serve(
  use: (socket: WebSocket) => void,
  options: Partial<NodeTransportOptions> = {},
): Promise<HttpTransport> {
  const server = http.createServer((_, response) => response.writeHead(403).end('not for you'));
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('b') ? 'b' : false),
  });
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/reset') socket.destroy();
    else if (request.url === '/who') socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    else if (request.url === '/no')
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 11\r\n\r\nnot for you');
    else sockets.handleUpgrade(request, socket, head, use);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as AddressInfo).port;
  const transport = nodeHttpTransport({ server: `http://127.0.0.1:${port}`, ...options });
  endings.push(() => {
    transport.close();
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  });
  return transport;
}

const open = (transport: HttpTransport, path = '/', signal?: AbortSignal): Promise<MessageSocket> =>
  transport.openSocket({
    path,
    headers: {},
    protocols: ['a', 'b'],
    ...(signal === undefined ? {} : { signal }),
  });

describe('the message socket', () => {
  it('carries binary messages both ways in the protocol that the server picked', async () => {
    const transport = await serve((socket) => {
      socket.on('message', (data: Buffer) => {
        socket.send(data);
      });
    });
    const socket = await open(transport);
    expect(socket.protocol).toBe('b');
    await socket.send(new Uint8Array([1, 2]));
    await socket.send(new Uint8Array([]));
    const got: number[][] = [];
    for await (const message of socket.messages) {
      got.push([...message]);
      if (got.length === 2) break;
    }
    expect(got).toEqual([[1, 2], []]);
    expect(await socket.closed).toMatchObject({ code: 1000 });
  });

  it('delivers messages that the peer sent before its close frame, then ends with its code', async () => {
    const transport = await serve((socket) => {
      for (let i = 0; i < 100; i += 1) socket.send(Buffer.from([i]));
      socket.close(4001, 'enough');
    });
    const socket = await open(transport);
    const got: (number | undefined)[] = [];
    for await (const message of socket.messages) got.push(message[0]);
    expect(got).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(await socket.closed).toEqual({ code: 4001, reason: 'enough' });
  });

  it('ends with code 1006 when the connection breaks', async () => {
    const transport = await serve((socket) => {
      socket.send('last');
      setTimeout(() => {
        socket.terminate();
      }, 10);
    });
    const socket = await open(transport);
    const got: string[] = [];
    for await (const message of socket.messages) got.push(Buffer.from(message).toString());
    expect(got).toEqual(['last']);
    expect(await socket.closed).toMatchObject({ code: 1006 });
    await expect(socket.send(new Uint8Array(1))).rejects.toMatchObject({ code: 'EPIPE' });
    await expect(socket.ping()).rejects.toMatchObject({ code: 'EPIPE' });
  });

  it('applies backpressure to the peer while its messages are not read', async () => {
    const total = 1_000;
    let sent = 0;
    const transport = await serve((socket) => {
      const push = (): void => {
        if (sent === total) {
          socket.close();
          return;
        }
        sent += 1;
        socket.send(Buffer.alloc(65_536), push);
      };
      push();
    });
    const socket = await open(transport);
    await pause(100);
    const sentUnread = sent;
    expect(sentUnread).toBeLessThan(total / 2);
    let read = 0;
    for await (const message of socket.messages) read += message.length;
    expect(read).toBe(total * 65_536);
  });

  it('does not resolve a send that the peer does not read', async () => {
    let resume = (): void => undefined;
    const transport = await serve((socket) => {
      socket.pause();
      resume = (): void => {
        socket.resume();
      };
    });
    const socket = await open(transport);
    let flushed = 0;
    const sending = Array.from({ length: 24 }, () =>
      socket.send(new Uint8Array(1_048_576)).then(() => (flushed += 1)),
    );
    await pause(100);
    expect(flushed).toBeLessThan(16);
    resume();
    await Promise.all(sending);
    expect(flushed).toBe(24);
  });

  it('resolves a ping with its pong, and rejects it when the socket closes first', async () => {
    const transport = await serve((socket) => {
      socket.on('message', () => {
        socket.terminate();
      });
    });
    const socket = await open(transport);
    const reading = (async (): Promise<void> => {
      for await (const message of socket.messages) expect(message).toBe('nothing is sent');
    })();
    await Promise.all([socket.ping(), socket.ping()]);
    await socket.send(new Uint8Array(1));
    await expect(socket.ping()).rejects.toMatchObject({ code: 'EPIPE' });
    await reading;
  });

  it('rejects with the response of a server that does not upgrade', async () => {
    const transport = await serve(() => undefined);
    await expect(open(transport, '/no')).rejects.toMatchObject({
      name: 'UpgradeRefused',
      status: 403,
      body: 'not for you',
    });
    await expect(open(transport, '/reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('reports that the server refuses its credentials', async () => {
    const onRefused = vi.fn();
    const transport = await serve(() => undefined, { onRefused });
    await expect(open(transport, '/no')).rejects.toMatchObject({ status: 403 });
    expect(onRefused).not.toHaveBeenCalled();
    await expect(open(transport, '/who')).rejects.toMatchObject({ status: 401 });
    expect(onRefused).toHaveBeenCalledOnce();
  });

  it('drops the connection of a peer that does not answer its close frame', async () => {
    const transport = await serve((socket) => {
      socket.pause();
    });
    const socket = await open(transport);
    socket.close();
    const never = new AbortController();
    endings.push(() => {
      never.abort();
    });
    const tooLate = pause(20_000, 'still open', { signal: never.signal }).catch(() => null);
    expect(await Promise.race([socket.closed, tooLate])).toMatchObject({ code: 1006 });
  });

  it('is aborted by its signal, also when it is open', async () => {
    const transport = await serve(() => undefined);
    const aborted = open(transport, '/', AbortSignal.abort());
    await expect(aborted).rejects.toMatchObject({ code: 'ECANCELED' });
    const controller = new AbortController();
    const socket = await open(transport, '/', controller.signal);
    controller.abort();
    expect(await socket.closed).toMatchObject({ code: 1006 });
  });

  it('ends when its transport is closed', async () => {
    const transport = await serve(() => undefined);
    const socket = await open(transport);
    transport.close();
    for await (const message of socket.messages) expect(message).toBe('nothing is sent');
    expect(await socket.closed).toBeDefined();
  });
});
