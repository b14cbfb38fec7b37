import * as net from 'node:net';

import { connectionOf } from './node-tcp-connecting.ts';
import type { TcpListening } from './tcp-listener.ts';

/** Connections of one listener at a time; more are closed at once. */
const MAX_CONNECTIONS = 256;

export const nodeTcpListening: TcpListening = {
  listen: async ({ host, port }, serve) => {
    const open = new Set<net.Socket>();
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      // Who reads or writes is told; a peer that breaks off in between is nobody's failure.
      socket.on('error', () => undefined);
      const reset = (): void => {
        socket.resetAndDestroy();
      };
      serve({ ...connectionOf(socket), reset });
    });
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const address = server.address();
    return {
      port: typeof address === 'object' && address !== null ? address.port : port,
      close: () =>
        new Promise((resolve) => {
          server.close(() => {
            resolve();
          });
          for (const socket of open) socket.resetAndDestroy();
        }),
    };
  },
};
