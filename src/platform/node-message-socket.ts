/**
 * A web socket of binary messages over `ws`. It reads from the socket only on demand. The socket is paused as soon as
 * one message waits, so at most the messages of one read are buffered. While the socket is paused, pongs and the peer's
 * close frame also wait behind those messages.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';
import { WebSocket } from 'ws';

import { type MessageSocket, type SocketRequest, UpgradeRefused } from './http-transport.ts';
import { explainFailure, watchConnection } from './node-http-transport.ts';
import type { ServerLink } from './node-server-link.ts';
import { posixError } from './posix-error.ts';

/** Maximum bytes of one message; known peers send 32 KiB at most. */
const MAX_MESSAGE_BYTES = 16_777_216;

const HANDSHAKE_TIMEOUT_MS = 30_000;

/** Milliseconds in which the peer has to answer a close frame. */
const GOODBYE_TIMEOUT_MS = 1_000;

/** Maximum bytes that are read of a server's answer to a rejected upgrade. */
const MAX_REFUSAL_BYTES = 65_536;

export function openMessageSocket(
  link: ServerLink,
  { path, protocols, signal }: SocketRequest,
  options: https.RequestOptions,
): Promise<MessageSocket> {
  const url = link.urlOf(path);
  url.protocol = link.secure ? 'wss:' : 'ws:';
  let connected = (): boolean => false;
  const socket = new WebSocket(url, [...protocols], {
    ...(options as object),
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    followRedirects: false,
    finishRequest: (request) => {
      connected = watchConnection(request, link);
      request.end();
    },
  });
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(posixError('ECANCELED', `${link.origin}: cancelled`));
      socket.terminate();
    };
    signal?.addEventListener('abort', abort);
    socket.once('close', () => {
      signal?.removeEventListener('abort', abort);
      reject(posixError('ECONNRESET', `${link.origin}: the socket was closed while it opened`));
    });
    // `close` always follows an error. Without a listener the error would crash the process.
    socket.on('error', (error) => {
      const picked = /^Server sent (no|an invalid) subprotocol$/.test(error.message);
      if (picked) reject(posixError('EPROTONOSUPPORT', `${link.origin}: ${error.message}`, error));
      else reject(explainFailure(error, link.origin, connected()));
    });
    socket.once('unexpected-response', (request, response) => {
      const refuse = async (): Promise<void> => {
        reject(new UpgradeRefused(response.statusCode ?? 0, await readRefusal(response)));
        request.destroy();
      };
      void refuse();
    });
    socket.once('open', () => {
      resolve(new NodeMessageSocket(socket));
    });
  });
}

/**
 * Reads the text of a refusal. Never rejects: the status is what callers need most, and even an incomplete text helps.
 */
async function readRefusal(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // Uses the text that has arrived.
  }
  return Buffer.concat(chunks).subarray(0, MAX_REFUSAL_BYTES).toString('utf8');
}

export class NodeMessageSocket implements MessageSocket {
  readonly protocol: string;
  readonly messages: AsyncIterable<Uint8Array>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #socket: WebSocket;
  readonly #waiting: Uint8Array[] = [];
  readonly #onClose = new Set<() => void>();
  #wake: () => void = () => undefined;
  #pings = 0;
  #leaving = false;
  #ended = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.protocol = socket.protocol;
    this.messages = this.#read();
    socket.pause();
    socket.on('message', (data: Buffer) => {
      if (this.#leaving) return;
      this.#waiting.push(data);
      socket.pause();
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        this.#ended = true;
        for (const notify of this.#onClose) notify();
        this.#onClose.clear();
        this.#wake();
        resolve({ code, reason: reason.toString('utf8') });
      });
    });
  }

  send(message: Uint8Array): Promise<void> {
    return this.#untilClosed((resolve, reject) => {
      this.#socket.send(message, { binary: true }, (error) => {
        if (error) reject(posixError('EPIPE', 'the web socket is closed', error));
        else resolve();
      });
    });
  }

  ping(): Promise<void> {
    this.#pings += 1;
    const mark = String(this.#pings);
    let listen: (data: Buffer) => void = () => undefined;
    return this.#untilClosed((resolve, reject) => {
      listen = (data): void => {
        if (data.toString('latin1') === mark) resolve();
      };
      this.#socket.on('pong', listen);
      this.#socket.ping(mark, undefined, (error: Error | null | undefined) => {
        if (error) reject(posixError('EPIPE', 'the web socket is closed', error));
      });
    }).finally(() => {
      this.#socket.removeListener('pong', listen);
    });
  }

  close(): void {
    if (this.#leaving || this.#ended) return;
    this.#leaving = true;
    this.#waiting.length = 0;
    this.#wake();
    this.#socket.close(1000);
    // Reads on, since the peer's close frame is behind the unread messages.
    this.#socket.resume();
    const terminate = setTimeout(() => {
      this.#socket.terminate();
    }, GOODBYE_TIMEOUT_MS);
    this.#onClose.add(() => {
      clearTimeout(terminate);
    });
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const message = this.#waiting.shift();
        if (message !== undefined) yield message;
        else if (this.#ended || this.#leaving) return;
        else await this.#next();
      }
    } finally {
      this.close();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#socket.resume();
    });
  }

  #untilClosed(work: (resolve: () => void, reject: (error: Error) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const closed = (): void => {
        reject(posixError('EPIPE', 'the web socket is closed'));
      };
      if (this.#ended || this.#leaving) {
        closed();
        return;
      }
      const settle = (): void => {
        this.#onClose.delete(closed);
      };
      this.#onClose.add(closed);
      work(
        () => {
          settle();
          resolve();
        },
        (error) => {
          settle();
          reject(error);
        },
      );
    });
  }
}
