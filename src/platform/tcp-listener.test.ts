import { once } from 'node:events';
import * as net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

import { LinkedSignal } from './linked-signal.ts';
import { codeOf } from './posix-error.ts';
import { nodeTcpConnecting, nodeTcpForwarding, type TcpForwarder } from './tcp-listener.ts';

/** The port of a server that is closed after the test. */
async function listening(server: net.Server): Promise<number> {
  onTestFinished(() => {
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

interface Forwarded {
  readonly forwarder: TcpForwarder;
  readonly client: net.Socket;
  /** The program's side of the connection. */
  readonly served: net.Socket;
}

/** One connection that is forwarded to a program. */
async function forwarded(): Promise<Forwarded> {
  const program = net.createServer();
  const to = { host: '127.0.0.1', port: await listening(program) };
  const unused = net.createServer();
  const from = { host: '127.0.0.1', port: await listening(unused) };
  unused.close();
  await once(unused, 'close');
  const accepted = once(program, 'connection') as Promise<[net.Socket]>;
  const forwarder = await nodeTcpForwarding.forward(from, () => to);
  onTestFinished(() => forwarder.stopListening());
  const client = net.connect(from);
  const [served] = await accepted;
  return { forwarder, client, served };
}

/** How a connection ends: with an end of its bytes, or with the code of an error. */
function endOf(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('end', () => {
      resolve('end');
    });
    socket.once('error', (error) => {
      resolve(codeOf(error) ?? error.message);
    });
    socket.resume();
  });
}

it('a forwarder that closes its connections resets both sides of each', async () => {
  const { forwarder, client, served } = await forwarded();
  const ends = [client, served].map(endOf);
  forwarder.closeConnections();
  expect(await Promise.all(ends)).toEqual(['ECONNRESET', 'ECONNRESET']);
});

it.each(['client', 'served'] as const)(
  'a forwarded connection that its %s side resets is reset on the other side',
  async (side) => {
    const { client, served } = await forwarded();
    const [failing, other] = side === 'client' ? [client, served] : [served, client];
    const end = endOf(other);
    failing.resetAndDestroy();
    expect(await end).toBe('ECONNRESET');
  },
);

it('a connection that its peer resets is an error only for its reader and its writer', async () => {
  const server = net.createServer();
  const to = { host: '127.0.0.1', port: await listening(server) };
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const connection = await nodeTcpConnecting.connect(to, new LinkedSignal());
  const [peer] = await accepted;
  peer.resetAndDestroy();
  await once(peer, 'close');
  const write = (): Promise<void> => connection.write(Buffer.from('a'));
  await expect
    .poll(() =>
      write().then(
        () => 'written',
        () => 'failed',
      ),
    )
    .toBe('failed');
  const read = async (): Promise<void> => {
    for await (const _ of connection.received) continue;
  };
  await expect(read()).rejects.toThrow();
  connection.close();
});
