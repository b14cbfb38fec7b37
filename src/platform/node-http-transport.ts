/**
 * The transport of production: `node:https` with connections that are kept for the next request, and
 * web sockets, both with the same TLS, proxy and credentials.
 *
 * A GET whose kept connection turns out to be dead before a byte of its answer came is made again on
 * another one: nothing else than waiting too long can have happened to it.
 */
import * as http from 'node:http';
import * as https from 'node:https';

import type {
  HttpTransport,
  MessageSocket,
  TransportAnswer,
  TransportRequest,
} from './http-transport.ts';
import { explainFailure, watchConnection } from './node-connect-error.ts';
import { makeServerLink, type NodeTransportOptions, type ServerLink } from './node-server-link.ts';
import type { CancelSignal } from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';

/** Dead connections that one GET gets over. */
const MAX_DEAD_CONNECTIONS = 16;

/** Rejects bad options with EINVAL. */
export function nodeHttpTransport(options: NodeTransportOptions): HttpTransport {
  const link = makeServerLink(options);
  const sockets = new Set<MessageSocket>();
  let closed = false;
  const checkOpen = (signal: CancelSignal | undefined): void => {
    if (closed) throw posixError('ECANCELED', `${link.origin}: the transport is closed`);
    if (signal?.aborted === true) throw posixError('ECANCELED', `${link.origin}: called off`);
  };
  return {
    request: async (request) => {
      const callOptions = await link.requestOptions(headersOf(request));
      checkOpen(request.signal);
      return call(link, request, callOptions);
    },
    openSocket: async (request) => {
      const callOptions = await link.requestOptions(request.headers, 'oneUse');
      // Only here: who streams nothing does not pay for loading it.
      const { openMessageSocket } = await import('./node-message-socket.ts');
      checkOpen(request.signal);
      const socket = await openMessageSocket(link, request, callOptions);
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

/** Node gives the body of a DELETE no length of its own accord, and its server then reads it as a request. */
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
      made.destroy(posixError('ECANCELED', `${link.origin}: called off`));
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
  // Without a listener, an answer that breaks while nobody reads it would end the process.
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

/** Leaving the loop destroys the answer, and with it the connection; so does an early end. */
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
