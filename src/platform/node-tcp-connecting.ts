import * as net from 'node:net';

import type { TcpConnecting, TcpConnection } from './tcp-listener.ts';

export const nodeTcpConnecting: TcpConnecting = {
  connect: (to, signal) =>
    new Promise((resolve, reject) => {
      const socket = net.connect({
        host: to.host,
        port: to.port,
        noDelay: true,
        allowHalfOpen: true,
      });
      const end = (): void => {
        socket.destroy();
      };
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      socket.once('error', reject);
      socket.once('close', () => {
        signal.removeEventListener('abort', end);
        reject(new Error('the connection was called off'));
      });
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(connectionOf(socket));
      });
    }),
};

export function connectionOf(socket: net.Socket): TcpConnection {
  return {
    received: socket,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      }),
    endWriting: () => {
      socket.end();
    },
    close: () => {
      socket.end();
      socket.destroySoon();
    },
  };
}
