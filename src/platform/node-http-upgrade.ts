/** Web sockets of `nodeHttpServer`. The service decides whether to accept an upgrade; `ws` does the handshake. */
import type * as http from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';

import type { MessageSocket } from './http-transport.ts';
import type { HttpService, HttpServiceAnswer, RequestHead } from './http-server.ts';

/** Maximum bytes of one message from a client; those of kubectl are below 64 KiB. */
const MAX_MESSAGE_BYTES = 1_048_576;

export interface UpgradeExchange {
  readonly request: http.IncomingMessage;
  /** null: the head cannot be parsed. */
  readonly head: RequestHead | null;
  readonly socket: Duplex;
  /** The bytes that arrived after the head. */
  readonly first: Buffer;
  readonly signal: AbortSignal;
}

export async function answerUpgrade(
  service: HttpService,
  { request, head, socket, first, signal }: UpgradeExchange,
): Promise<void> {
  if (head === null) {
    writeAnswer(socket, { status: 400, headers: {}, body: '' });
    return;
  }
  const refusal = service.refuse(head);
  if (refusal !== null) {
    writeAnswer(socket, refusal);
    return;
  }
  const decision = await service.upgrade({ ...head, body: '', signal });
  if (decision.kind === 'refused') {
    writeAnswer(socket, decision.answer);
    return;
  }
  const messages = await shakeHands({ request, socket, first, protocol: decision.protocol });
  signal.addEventListener('abort', () => {
    messages.close();
  });
  // The server may have closed meanwhile.
  if (signal.aborted) messages.close();
  try {
    await decision.serve(messages);
  } finally {
    messages.close();
  }
}

interface Handshake {
  readonly request: http.IncomingMessage;
  readonly socket: Duplex;
  readonly first: Buffer;
  readonly protocol: string;
}

interface Loaded {
  readonly server: WebSocketServer;
  readonly open: (connection: WebSocket) => MessageSocket;
}

/** The modules for web sockets, loaded once, at the first upgrade. */
let loaded: Promise<Loaded> | undefined;
const chosen = new WeakMap<http.IncomingMessage, string>();

async function load(): Promise<Loaded> {
  const [ws, sockets] = await Promise.all([import('ws'), import('./node-message-socket.ts')]);
  const server = new ws.WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (_offered, of) => chosen.get(of) ?? false,
  });
  return { server, open: (connection) => new sockets.NodeMessageSocket(connection) };
}

async function shakeHands({ request, socket, first, protocol }: Handshake): Promise<MessageSocket> {
  loaded ??= load();
  const { server, open } = await loaded;
  chosen.set(request, protocol);
  // Replaces the offered protocols. `ws` would reject "SPDY/3.1+portforward.k8s.io" because of its slash. The protocol
  // is already chosen, and `ws` only needs an offer that is not empty.
  if (request.headers['sec-websocket-protocol'] !== undefined)
    request.headers['sec-websocket-protocol'] = 'chosen';
  return new Promise((resolve, reject) => {
    socket.once('close', () => {
      reject(new Error('the connection broke while the web socket opened'));
    });
    server.handleUpgrade(request, socket, first, (connection) => {
      connection.on('error', () => undefined);
      // Without a delay, since the client's first messages may have arrived already, and are lost without a listener.
      resolve(open(connection));
    });
  });
}

/** Writes the answer as raw HTTP, since a socket that is not upgraded has no response object. */
function writeAnswer(socket: Duplex, { status, headers, body }: HttpServiceAnswer): void {
  const text = typeof body === 'string' ? body : '';
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
