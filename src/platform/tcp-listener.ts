import * as net from 'node:net';

import type { CancelSignal } from './platform.ts';

/**
 * Listening for TCP connections and passing each on to another address: what a Service is on one
 * machine. Separate from `Network`, whose users only ever call out.
 */
export interface TcpForwarding {
  /**
   * Rejects when the address cannot be listened on (EADDRINUSE, EADDRNOTAVAIL). `target` is asked once
   * per connection; null: nobody is there, and the connection is reset, as a service without endpoints
   * refuses it.
   */
  forward(from: TcpAddress, target: () => TcpAddress | null): Promise<TcpForwarder>;
}

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

export interface TcpForwarder {
  /** Takes no more connections; those that are open go on to their own end. */
  stopListening(): Promise<void>;
  /** Resets those that are still open. */
  closeConnections(): void;
}

/** One connection to a program, as bytes in both directions with back-pressure. */
export interface TcpConnecting {
  connect(to: TcpAddress, signal: CancelSignal): Promise<TcpConnection>;
}

export interface TcpConnection {
  /** Ends when the peer has closed its side; rejects when the connection breaks. Not reading stops it. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves when it was taken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Tells the peer that nothing more comes; what it says is still received. */
  endWriting(): void;
  close(): void;
}

/** Taking connections in. */
export interface TcpListening {
  /**
   * Rejects when the address cannot be listened on (EADDRINUSE, EACCES, EADDRNOTAVAIL). Port 0: any that is free. Who
   * is called owns the connection.
   */
  listen(at: TcpAddress, serve: (connection: AcceptedConnection) => void): Promise<TcpListener>;
}

export interface AcceptedConnection extends TcpConnection {
  /** Tells the peer that it failed, where `close` tells it that all is said. */
  reset(): void;
}

export interface TcpListener {
  /** The one that it is in fact. */
  readonly port: number;
  /** Takes no more connections, and resets those that are open. */
  close(): Promise<void>;
}

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
    passOn(client, target());
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
function passOn(client: net.Socket, to: TcpAddress | null): void {
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

function connectionOf(socket: net.Socket): TcpConnection {
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

/** Connections of one listener at a time; more are closed at once. */
const MAX_ACCEPTED = 256;

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
    server.maxConnections = MAX_ACCEPTED;
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
