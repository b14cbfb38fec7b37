/**
 * Limits the duration of a client's connection to a server. A client that sends or reads slowly, or stays connected,
 * must not use up the connections that other clients need.
 */
import { once } from 'node:events';
import type * as http from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionTimes {
  /** Maximum milliseconds from the head of a request to the end of its answer; then the connection is dropped. */
  readonly exchangeMs: number;
  /**
   * Milliseconds from the start of a connection. The answer to the first request after that time closes it, so that no
   * request is lost. If it is still open after another `exchangeMs`, it is dropped.
   */
  readonly connectionMs: number;
  /** Milliseconds in which pending requests still get their answer while the server closes. */
  readonly drainMs: number;
}

/**
 * Call it before the server gets its own listeners. Call the returned function before the server is closed: from then
 * on each answer closes its connection. Its promise resolves when no connection is left, or after `drainMs`.
 */
export function limitConnections(
  server: http.Server,
  { exchangeMs, connectionMs, drainMs }: ConnectionTimes,
): () => Promise<void> {
  const over = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const unanswered = new Set<http.ServerResponse>();
  let isClosing = false;
  // With TLS, this is the socket below the one of the requests, so the time of the handshake counts too.
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
