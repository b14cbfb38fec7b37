import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, expect, it } from 'vitest';

import type { HttpServer, HttpService } from './http-server.ts';
import { makeAuthority } from './node-certificate.ts';
import type { ConnectionTimes } from './node-connection-times.ts';
import { nodeHttpServer } from './node-http-server.ts';

/** Longer than any test of this file. */
const NEVER_MS = 600_000;
const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const servers: HttpServer[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

let answerLate = (): void => {};

const service: HttpService = {
  refuse: () => null,
  isBinary: () => false,
  handle: ({ path, signal }) =>
    path === '/late'
      ? new Promise((resolve) => {
          answerLate = () => {
            resolve({ status: 200, headers: {}, body: 'here' });
          };
        })
      : path === '/never'
        ? new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              reject(new Error('called off'));
            });
          })
        : Promise.resolve({ status: 200, headers: {}, body: 'here' }),
  upgrade: async () => ({ kind: 'refused', answer: { status: 400, headers: {}, body: '' } }),
  tooLarge: () => ({ status: 413, headers: {}, body: '' }),
};

async function open(times: ConnectionTimes): Promise<Socket> {
  const server = await nodeHttpServer({ service, port: 0, times });
  servers.push(server);
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/**
 * Resolves when the connection is closed. It may report ECONNRESET before: from Node 26 on, if it is dropped during its
 * handshake.
 */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket
      .on('error', () => undefined)
      .once('close', () => {
        resolve();
      });
  });
}

async function answerOn(socket: Socket): Promise<string> {
  socket.write(REQUEST);
  let text = '';
  while (!text.endsWith('here')) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    text += piece.toString();
  }
  return text;
}

it('drops a connection whose request is not answered in time', async () => {
  const socket = await open({ exchangeMs: 50, connectionMs: NEVER_MS, drainMs: 0 });
  socket.write(REQUEST.replace('/', '/never'));
  await once(socket.resume(), 'close');
});

it('drops a connection on which nothing is ever asked', async () => {
  const socket = await open({ exchangeMs: 50, connectionMs: 50, drainMs: 0 });
  await once(socket.resume(), 'close');
});

it('drops a connection under TLS that asks nothing, and one that begins no handshake', async () => {
  const validity = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 86_400_000 };
  const pair = makeAuthority({ commonName: 'a', ...validity });
  const times = { exchangeMs: 50, connectionMs: 50, drainMs: 0 };
  const server = await nodeHttpServer({ service, port: 0, times, ...pair });
  servers.push(server);
  const plain = connect(server.port, '127.0.0.1');
  const secure = connectSecurely({ port: server.port, rejectUnauthorized: false });
  sockets.push(plain, secure);
  await Promise.all([plain, secure].map((socket) => closeOf(socket.resume())));
});

it('keeps a young connection, and closes an old one with an answer', async () => {
  const young = await open({ exchangeMs: NEVER_MS, connectionMs: NEVER_MS, drainMs: 0 });
  expect(await answerOn(young)).toContain('keep-alive');
  const old = await open({ exchangeMs: NEVER_MS, connectionMs: 1, drainMs: 0 });
  for (;;) {
    const text = await answerOn(old);
    if (text.includes('Connection: close')) break;
  }
  await once(old, 'close');
});

it('answers what is under way and what still comes when it closes, and ends the connections', async () => {
  const times = { exchangeMs: NEVER_MS, connectionMs: NEVER_MS, drainMs: NEVER_MS };
  const busy = await open(times);
  const [server] = servers;
  const idle = connect(server?.port ?? 0, '127.0.0.1');
  sockets.push(idle);
  expect(await answerOn(idle)).not.toMatch(/connection: close/i);
  busy.write(REQUEST.replace('/', '/late'));
  await once(idle.setTimeout(50), 'timeout');
  const closed = server?.close();
  expect(await answerOn(idle)).toMatch(/connection: close/i);
  const late = once(busy, 'data');
  answerLate();
  expect(String(await late)).toMatch(/connection: close[^]*here/i);
  await closed;
});
