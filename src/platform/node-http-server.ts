/**
 * An HTTP server, with TLS or without, over Node's server and `ws`. HTTP/1.1 only: a connection has one request at a
 * time, so that a client that reads one answer slowly does not block its other requests.
 */
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import type { HttpServer, HttpService, HttpServiceAnswer, RequestHead } from './http-server.ts';
import { type ConnectionTimes, limitConnections } from './node-connection-times.ts';
import { answerUpgrade } from './node-http-upgrade.ts';

/** Maximum number of concurrent connections; more are not accepted. */
const MAX_CONNECTIONS = 2_000;

/** Maximum bytes of a head; those of kubectl are below 2 KiB, tokens included. */
const MAX_HEAD_BYTES = 65_536;

/** Maximum bytes of one body; the same limit as that of a real API server. */
const MAX_BODY_BYTES = 3_145_728;

/** Milliseconds within which a request must arrive completely. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Milliseconds until an idle connection is closed. Clients wait less, so it is the client that closes it. */
const KEEP_ALIVE_MS = 120_000;

/** Milliseconds after which a close drops pending requests. */
const CLOSE_GRACE_MS = 2_000;

export interface HttpServerOptions {
  readonly service: HttpService;
  /** Certificate and key in PEM. Absent: plain HTTP, which is only for the loopback address. */
  readonly certificate?: string;
  readonly key?: string;
  /** Port to listen on; 0: any free port. */
  readonly port: number;
  /** Address to listen on. Absent: 127.0.0.1. */
  readonly host?: string;
  /** Limits of connections. Absent: there are none, and closing the server drops pending requests. */
  readonly times?: ConnectionTimes;
}

/** Rejects if the port is in use (EADDRINUSE). */
export async function nodeHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, host = '127.0.0.1' } = options;
  const open = new Set<AbortController>();
  const secure = options.certificate !== undefined;
  const server = secure ? https.createServer(tlsOf(options)) : http.createServer(LIMITS);
  server.maxConnections = MAX_CONNECTIONS;
  const drain = options.times === undefined ? null : limitConnections(server, options.times);
  server.on('request', (request, response) => {
    void withSignal(open, response, (signal) => respond(service, { request, response, signal }));
  });
  server.on('upgrade', (request, socket, first) => {
    void withSignal(open, socket, (signal) =>
      answerUpgrade(service, { request, head: headOf(request), socket, first, signal }),
    );
  });
  server.listen(options.port, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${secure ? 'https' : 'http'}://${host}:${port}`,
    port,
    renew: ({ certificate, key }) => {
      if (!(server instanceof https.Server)) throw new Error('plain HTTP has no certificate');
      server.setSecureContext({ ...TRUST, cert: certificate, key });
    },
    close: async () => {
      await drain?.();
      await closeServer(server, open);
    },
  };
}

/** No CAs: clients authenticate with tokens. Without this list Node loads its root certificates, which takes 14 ms. */
const TRUST = { ca: [], minVersion: 'TLSv1.2' } as const satisfies https.ServerOptions;

const LIMITS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  noDelay: true,
};

function tlsOf({ certificate, key }: HttpServerOptions): https.ServerOptions {
  return {
    ...LIMITS,
    ...TRUST,
    cert: certificate,
    key,
    ALPNProtocols: ['http/1.1'],
  };
}

/** Runs the work for a response or a socket. The signal aborts when that has ended for any reason. */
async function withSignal(
  open: Set<AbortController>,
  over: http.ServerResponse | Duplex,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  open.add(controller);
  over.once('close', () => {
    // A constant reason: without a reason, each abort would create an error with its stack.
    controller.abort('it is over');
    open.delete(controller);
  });
  over.on('error', () => undefined);
  try {
    await work(controller.signal);
  } catch {
    // Only a broken connection throws here: a service reports its own failures in its answers.
    over.destroy();
  }
}

interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly signal: AbortSignal;
}

async function respond(service: HttpService, exchange: Exchange): Promise<void> {
  const { request, response, signal } = exchange;
  const head = headOf(request);
  if (head === null) {
    response.writeHead(400, { connection: 'close' }).end();
    return;
  }
  const refusal = service.refuse(head);
  if (refusal !== null) {
    await finishEarly(exchange, refusal);
    return;
  }
  const bytes = await readBody(request);
  if (bytes === null) {
    await finishEarly(exchange, service.tooLarge(MAX_BODY_BYTES));
    return;
  }
  const body = bytes.toString(service.isBinary(head) ? 'latin1' : 'utf8');
  await send(response, await service.handle({ ...head, body, signal }), request.method);
}

export function headOf(request: http.IncomingMessage): RequestHead | null {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  try {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        [value ?? ''].flat().join(', '),
      ]),
    );
    return {
      method: request.method ?? 'GET',
      path: decodeURIComponent(mark === -1 ? url : url.slice(0, mark)),
      query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
      headers,
    };
  } catch {
    return null;
  }
}

/** Reads the body of a request. null: the body is longer than the limit. */
function readBody(request: http.IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let leftBytes = MAX_BODY_BYTES;
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      leftBytes -= chunk.length;
      if (leftBytes < 0) giveUp();
    };
    const giveUp = (): void => {
      request.off('data', take).pause();
      resolve(null);
    };
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.once('error', reject);
    if (Number(request.headers['content-length'] ?? '0') > MAX_BODY_BYTES) giveUp();
    else request.on('data', take);
  });
}

/** Answers without reading the rest of the body, so the connection cannot be used again. */
async function finishEarly(
  { request, response }: Exchange,
  answer: HttpServiceAnswer,
): Promise<void> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  const unread = length !== '0' || encoding !== undefined;
  const headers = unread ? { ...answer.headers, connection: 'close' } : answer.headers;
  await send(response, { ...answer, headers }, request.method);
}

async function send(
  response: http.ServerResponse,
  { status, headers, body }: HttpServiceAnswer,
  method: string | undefined,
): Promise<void> {
  if (typeof body === 'string') {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(method === 'HEAD' ? '' : body);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  if (method !== 'HEAD') {
    for await (const piece of body) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
  }
  response.end();
}

/** Resolves when the reader is ready for more, or has disconnected. */
function drained(response: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}

async function closeServer(
  server: http.Server | https.Server,
  open: Set<AbortController>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  for (const controller of open) controller.abort();
  server.closeIdleConnections();
  const drop = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_GRACE_MS);
  await closed;
  clearTimeout(drop);
}
