import * as http from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';

import { currentCertificates } from './node-certificates.ts';
import { openTunnel } from './node-server-link.ts';

/** The port of a server that is closed after the test. */
async function listening(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

it('drops a tunnel behind which the server does not answer the TLS handshake', async () => {
  const proxy = http.createServer();
  const dropped = new Promise<void>((resolve) => {
    proxy.on('connect', (_, socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('end', () => {
        socket.destroy();
        resolve();
      });
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.resume();
    });
  });
  const port = await listening(proxy);
  const proxyUrl = `http://127.0.0.1:${port}`;
  const target = { proxyUrl, host: 'k8s.example', port: 6443, tls: {}, timeoutMs: 200 };
  const error = await new Promise<Error | null>((resolve) => {
    openTunnel(target, resolve);
  });
  expect(error).toMatchObject({
    code: 'EHOSTUNREACH',
    message: `the proxy 127.0.0.1:${port}: k8s.example did not complete the TLS handshake within 200 ms`,
  });
  await dropped;
});

it('calls back once when the proxy does not answer', async () => {
  const proxy = http.createServer();
  const dropped = new Promise<void>((resolve) => {
    proxy.on('connect', (_, socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('end', () => socket.destroy());
      socket.once('close', () => {
        resolve();
      });
      socket.resume();
    });
  });
  const port = await listening(proxy);
  const proxyUrl = `http://127.0.0.1:${port}`;
  const target = { proxyUrl, host: 'k8s.example', port: 6443, tls: null, timeoutMs: 200 };
  const messages: unknown[] = [];
  openTunnel(target, (error) => messages.push(error?.message));
  await dropped;
  // The socket of the client is closed in the same turn.
  await new Promise(setImmediate);
  expect(messages).toEqual([`the proxy 127.0.0.1:${port}: no answer within 200 ms`]);
});

it('opens a tunnel with TLS, and no longer limits its time', async () => {
  const hosts = ['k8s.example'];
  const { certificate, key, authority } = await currentCertificates({
    store: { read: async () => null, write: async () => undefined },
    nowMs: Date.now(),
    hosts,
  });
  const server = createServer({ cert: certificate, key });
  const serverPort = await listening(server);
  const proxy = http.createServer();
  proxy.on('connect', (_, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const to = connect(serverPort, '127.0.0.1');
    socket.pipe(to).pipe(socket);
    for (const each of [socket, to]) each.on('error', () => undefined);
  });
  const port = await listening(proxy);
  const tls = { ca: authority, servername: 'k8s.example' };
  const proxyUrl = `http://127.0.0.1:${port}`;
  const target = { proxyUrl, host: 'k8s.example', port: 6443, tls, timeoutMs: 30_000 };
  const socket = await new Promise<Duplex | undefined>((resolve, reject) => {
    openTunnel(target, (error, opened) => {
      if (error === null) resolve(opened);
      else reject(error);
    });
  });
  expect([(socket as Socket).timeout, socket?.listenerCount('timeout')]).toEqual([0, 0]);
  socket?.destroy();
});
