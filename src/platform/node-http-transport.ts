/**
 * The transport of production: `node:https` with kept-alive connections, and web sockets, both with the same TLS, proxy
 * and credentials.
 *
 * If a kept-alive connection dies before the first byte of an answer, a GET is retried on another one: the dead
 * connection can only have been idle for too long.
 */
import * as http from 'node:http';
import type { ClientRequest } from 'node:http';
import * as https from 'node:https';

import { errorText } from './error-text.ts';
import {
  type HttpTransport,
  type MessageSocket,
  type TransportAnswer,
  type TransportRequest,
  UpgradeRefused,
} from './http-transport.ts';
import { makeServerLink, type NodeTransportOptions, type ServerLink } from './node-server-link.ts';
import type { CancelSignal } from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';

const UNAUTHORIZED = 401;

/** Maximum number of dead connections that one GET tolerates. */
const MAX_DEAD_CONNECTIONS = 16;

/** Rejects invalid options with EINVAL. */
export function nodeHttpTransport(options: NodeTransportOptions): HttpTransport {
  const link = makeServerLink(options);
  const sockets = new Set<MessageSocket>();
  let closed = false;
  const checkOpen = (signal: CancelSignal | undefined): void => {
    if (closed) throw posixError('ECANCELED', `${link.origin}: the transport is closed`);
    if (signal?.aborted === true) throw posixError('ECANCELED', `${link.origin}: cancelled`);
  };
  const unlessCancelled = async <T>(
    work: Promise<T>,
    signal: CancelSignal | undefined,
  ): Promise<T> => {
    const done = await (signal === undefined ? work : orCancelled(work, signal, link.origin));
    checkOpen(signal);
    return done;
  };
  const noteStatus = (status: number): void => {
    if (status === UNAUTHORIZED) options.onRefused?.();
  };
  return {
    request: async (request) => {
      const { signal } = request;
      const callOptions = await unlessCancelled(link.requestOptions(headersOf(request)), signal);
      const answer = await call(link, request, callOptions);
      noteStatus(answer.status);
      return answer;
    },
    openSocket: async (request) => {
      const { headers, signal } = request;
      const callOptions = await unlessCancelled(link.requestOptions(headers, 'oneUse'), signal);
      // Imported here, so that a client without web sockets does not load this module.
      const { openMessageSocket } = await import('./node-message-socket.ts');
      checkOpen(signal);
      const socket = await openMessageSocket(link, request, callOptions).catch((error: unknown) => {
        if (error instanceof UpgradeRefused) noteStatus(error.status);
        throw error;
      });
      sockets.add(socket);
      void socket.closed.then(() => sockets.delete(socket));
      return socket;
    },
    close: () => {
      closed = true;
      for (const socket of sockets) socket.close();
      link.close();
    },
  };
}

/** Rejects when the signal aborts. The work may go on: a credential plugin that hangs has no end. */
function orCancelled<T>(work: Promise<T>, signal: CancelSignal, origin: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      reject(posixError('ECANCELED', `${origin}: cancelled`));
    };
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', cancel);
    });
  });
}

/** Sets content-length, which Node omits for a DELETE: the server would then parse the body as the next request. */
function headersOf({ headers, body }: TransportRequest): Record<string, string> {
  if (body === undefined) return { ...headers };
  return { ...headers, 'content-length': String(Buffer.byteLength(body)) };
}

async function call(
  link: ServerLink,
  request: TransportRequest,
  options: https.RequestOptions,
): Promise<TransportAnswer> {
  for (let dead = 0; ; dead += 1) {
    const answer = await callOnce(link, request, options);
    if (answer !== 'dead connection') return answer;
    if (dead === MAX_DEAD_CONNECTIONS) {
      throw posixError('ECONNRESET', `${link.origin}: every kept connection was dead`);
    }
  }
}

function callOnce(
  link: ServerLink,
  request: TransportRequest,
  options: https.RequestOptions,
): Promise<TransportAnswer | 'dead connection'> {
  const { method, path, body, signal } = request;
  return new Promise((resolve, reject) => {
    const made = (link.secure ? https : http).request(link.urlOf(path), { ...options, method });
    const abort = (): void => {
      made.destroy(posixError('ECANCELED', `${link.origin}: cancelled`));
    };
    const connected = watchConnection(made, link);
    signal?.addEventListener('abort', abort);
    made.once('close', () => {
      signal?.removeEventListener('abort', abort);
    });
    made.on('error', (error) => {
      const stale = method === 'GET' && made.reusedSocket && codeOf(error) === 'ECONNRESET';
      if (stale) resolve('dead connection');
      else reject(explainFailure(error, link.origin, connected()));
    });
    made.once('response', (response) => {
      resolve(answerOf(response, link.origin));
    });
    made.end(body);
  });
}

function answerOf(response: http.IncomingMessage, origin: string): TransportAnswer {
  // Without a listener, an answer that breaks while nothing reads it would crash the process.
  response.on('error', () => undefined);
  const headers = Object.entries(response.headers).map(([name, value = '']): [string, string] => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: readBody(response, origin),
  };
}

/** Reads the body. Leaving the loop destroys the answer and its connection; so does a body that ends early. */
async function* readBody(
  response: http.IncomingMessage,
  origin: string,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Buffer;
  } catch (error) {
    throw explainFailure(error, origin, true);
  }
}

/** Returns a function that says whether there is a connection, over which something may have been sent. */
export function watchConnection(
  request: ClientRequest,
  { secure, tunnelled }: { readonly secure: boolean; readonly tunnelled: boolean },
): () => boolean {
  let connected = false;
  request.once('socket', (socket) => {
    socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    connected = request.reusedSocket || tunnelled;
    if (connected) return;
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      connected = true;
    });
  });
  return () => connected;
}

/**
 * Milliseconds without traffic before the first keep-alive probe. The system then detects a dead peer after some
 * minutes.
 */
const KEEP_ALIVE_PROBE_MS = 30_000;

/**
 * The error of a failed connection or request. Its code shows whether anything may have been sent: without a connection
 * nothing was. Callers use that to decide whether they may retry.
 */
export function explainFailure(error: unknown, server: string, connected: boolean): Error {
  const code = codeOf(error) ?? 'EIO';
  if (code === 'ECANCELED' && error instanceof Error) return error;
  const message = `${server}: ${reasonsOf(error)}`;
  return posixError(connected ? code : connectCode(code), message, error);
}

/** The POSIX code of a failure to connect. Node has other codes for TLS failures. */
function connectCode(code: string): string {
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'ECONNREFUSED';
  if (code === 'ETIMEDOUT') return 'EHOSTUNREACH';
  return /^E[A-Z]{2,}$|^EAI_AGAIN$/.test(code) ? code : 'EPROTO';
}

/** Reads the inner errors: if several addresses of one name fail, Node's error has an empty message. */
function reasonsOf(error: unknown): string {
  const each = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return each.map((one) => errorText(one)).join('; ');
}
