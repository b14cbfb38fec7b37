import * as net from 'node:net';

import type { TcpAddress, TcpForwarder, TcpForwarding } from './tcp-listener.ts';

/** Connections of one listener at a time; more are refused by the kernel's queue and then by us. */
const MAX_CONNECTIONS = 4_096;

/** To reach the target, milliseconds; it is on this machine. */
const CONNECT_TIMEOUT_MS = 5_000;

export const nodeTcpForwarding: TcpForwarding = { forward };

async function forward(from: TcpAddress, target: () => TcpAddress | null): Promise<TcpForwarder> {
  const open = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    serve(client, target());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: from.host, port: from.port }, resolve);
  });
  return {
    stopListening: () =>
      new Promise((resolve) => {
        server.close();
        resolve();
      }),
    closeConnections: () => {
      for (const client of open) client.resetAndDestroy();
    },
  };
}

/** Half-closes pass through, and either end's failure is the other's: a reset, not a quiet end. */
function serve(client: net.Socket, to: TcpAddress | null): void {
  if (to === null) {
    client.resetAndDestroy();
    return;
  }
  const upstream = net.connect({
    host: to.host,
    port: to.port,
    allowHalfOpen: true,
    noDelay: true,
  });
  upstream.setTimeout(CONNECT_TIMEOUT_MS, () => {
    if (upstream.connecting) upstream.destroy(new Error('the target did not answer'));
  });
  const fail = (): void => {
    client.resetAndDestroy();
    upstream.destroy();
  };
  client.on('error', fail);
  upstream.on('error', fail);
  client.pipe(upstream);
  upstream.pipe(client);
}
