/**
 * Limits the duration of a client's connection to a server: a client that sends or reads slowly, or stays connected,
 * must not use up the connections that others need.
 */
import { once } from 'node:events';
import type * as http from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionTimes {
  /** From the head of a request to the end of its answer, milliseconds; then the connection is dropped. */
  readonly exchangeMs: number;
  /**
   * From the first byte, milliseconds. The next answer after that closes the connection, so that no request is lost; a
   * connection that is still open after another `exchangeMs` is dropped.
   */
  readonly connectionMs: number;
  /** Milliseconds in which pending requests are still answered while the server closes. */
  readonly drainMs: number;
}

/**
 * Call it before the server gets its own listeners, and call the result before the server is closed: from then on each
 * answer closes its connection. The result resolves when none is left, or `drainMs` later.
 */
export function limitConnections(
  server: http.Server,
  { exchangeMs, connectionMs, drainMs }: ConnectionTimes,
): () => Promise<void> {
  const over = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const unanswered = new Set<http.ServerResponse>();
  let isClosing = false;
  // With TLS, this socket is below the socket of the requests: a handshake counts too.
  server.on('connection', (socket: Socket) => {
    dropAfter(socket, connectionMs + exchangeMs);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const age = (socket: Socket): void => {
    const timer = setTimeout(() => over.add(socket), connectionMs);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };
  server.on('connection', age);
  server.on('secureConnection', age);
  server.on('request', (request, response) => {
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), exchangeMs);
    unanswered.add(response);
    response.once('close', () => {
      clearTimeout(timer);
      unanswered.delete(response);
    });
    if (isClosing || over.has(socket)) response.shouldKeepAlive = false;
  });
  return async () => {
    isClosing = true;
    for (const response of unanswered) response.shouldKeepAlive = false;
    await haveClosed([...sockets], drainMs);
  };
}

async function haveClosed(sockets: readonly Socket[], maxMs: number): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
  }, maxMs);
  const ends = sockets.map((socket) => once(socket, 'close', late).catch(() => undefined));
  await Promise.all(ends);
  clearTimeout(timer);
}

function dropAfter(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
