import * as net from 'node:net';

import type { CancelSignal } from './platform.ts';

/**
 * Listens for TCP connections and forwards each to another address, as a Service does, on one machine. It is separate
 * from `Network`, whose users only open connections.
 */
export interface TcpForwarding {
  /**
   * Rejects if the address cannot be listened on (EADDRINUSE, EADDRNOTAVAIL). `target` is called once per connection.
   * If it returns null, there is no endpoint, and the connection is reset, as by a Service without endpoints.
   */
  forward(from: TcpAddress, target: () => TcpAddress | null): Promise<TcpForwarder>;
}

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

export interface TcpForwarder {
  /** Accepts no more connections; open ones continue. */
  stopListening(): Promise<void>;
  /** Resets the open connections. */
  closeConnections(): void;
}

/** Opens connections to programs. */
export interface TcpConnecting {
  connect(to: TcpAddress, signal: CancelSignal): Promise<TcpConnection>;
}

/** A connection to a program, as bytes in both directions with back-pressure. */
export interface TcpConnection {
  /**
   * The received bytes. They end when the peer has closed its side; reading rejects if the connection breaks. While
   * they are not read, the peer cannot send.
   */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves when the bytes were accepted. */
  write(bytes: Uint8Array): Promise<void>;
  /** Half-closes the connection; bytes from the peer are still received. */
  endWriting(): void;
  close(): void;
}

/** Accepts connections. */
export interface TcpListening {
  /**
   * Rejects if the address cannot be listened on (EADDRINUSE, EACCES, EADDRNOTAVAIL). Port 0 means any free port.
   * `serve` must close each connection that it gets.
   */
  listen(at: TcpAddress, serve: (connection: AcceptedConnection) => void): Promise<TcpListener>;
}

export interface AcceptedConnection extends TcpConnection {
  /** Resets the connection, which the peer sees as a failure; `close` is a normal end. */
  reset(): void;
}

export interface TcpListener {
  readonly port: number;
  /** Accepts no more connections, and resets the open ones. */
  close(): Promise<void>;
}

/** Maximum number of concurrent connections of one listener; more are closed at once. */
const MAX_CONNECTIONS = 4_096;

/** Milliseconds to connect to the target, which is on this machine. */
const CONNECT_TIMEOUT_MS = 5_000;

export const nodeTcpForwarding: TcpForwarding = { forward };

async function forward(from: TcpAddress, target: () => TcpAddress | null): Promise<TcpForwarder> {
  /** For each open connection, the function that resets it. */
  const open = new Map<net.Socket, () => void>();
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('close', () => open.delete(client));
    open.set(client, passOn(client, target()));
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
      for (const reset of open.values()) reset();
    },
  };
}

/**
 * Forwards bytes and half-closes in both directions. If one side fails, the other side is reset, since it must not see
 * a normal end. Returns a function that resets both sides.
 */
function passOn(client: net.Socket, to: TcpAddress | null): () => void {
  if (to === null) {
    client.resetAndDestroy();
    return () => undefined;
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
    upstream.resetAndDestroy();
  };
  client.on('error', fail);
  upstream.on('error', fail);
  client.pipe(upstream);
  upstream.pipe(client);
  return fail;
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
        reject(new Error('the connection was cancelled'));
      });
      socket.once('connect', () => {
        socket.off('error', reject);
        // Readers and writers get the error. Without a listener it would end this process.
        socket.on('error', () => undefined);
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

/** Maximum number of concurrent connections of one listener; more are closed at once. */
const MAX_ACCEPTED = 256;

export const nodeTcpListening: TcpListening = {
  listen: async ({ host, port }, serve) => {
    const open = new Set<net.Socket>();
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      // Readers and writers get the error. Without a reader or a writer, a disconnect of the peer is not a failure.
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
