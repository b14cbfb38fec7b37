/**
 * How long a client may keep a connection of a server: whoever sends or reads slowly, or holds on to what it has, must not
 * use up the connections that others need.
 */
import type * as http from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionTimes {
  /** From the head of a request to the end of its answer, milliseconds; then the connection is dropped. */
  readonly exchangeMs: number;
  /**
   * From the first byte, milliseconds. The next answer after that closes the connection, so that no request is lost; what
   * is still open after another `exchangeMs` is dropped.
   */
  readonly connectionMs: number;
}

/** Before the server gets its own listeners. */
export function limitConnections(
  server: http.Server,
  { exchangeMs, connectionMs }: ConnectionTimes,
): void {
  const over = new WeakSet<Socket>();
  // Of TLS, this one lies under the socket of the requests: a handshake counts too.
  server.on('connection', (socket: Socket) => {
    dropAfter(socket, connectionMs + exchangeMs);
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
    response.once('close', () => {
      clearTimeout(timer);
    });
    if (over.has(socket)) response.shouldKeepAlive = false;
  });
}

function dropAfter(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
