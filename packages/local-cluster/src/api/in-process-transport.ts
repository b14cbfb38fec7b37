/**
 * Connects our controllers and our node to the API server without a socket.
 *
 * A slow reader of a watch costs no memory: it reads the changes from the store when it is ready.
 */
import {
  type HttpTransport,
  type MessageSocket,
  type SocketRequest,
  type TransportAnswer,
  type TransportRequest,
  UpgradeRefused,
} from '../../../../src/platform/http-transport.ts';
import { LinkedSignal } from '../../../../src/platform/linked-signal.ts';
import type { CancelSignal, Timers } from '../../../../src/platform/platform.ts';
import { posixError } from '../../../../src/platform/posix-error.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import type { ApiServer, ServerAnswer, ServerRequest, UpgradeAnswer, UserInfo } from './http.ts';

const USER: UserInfo = { username: 'system:lifehook', groups: ['system:masters'] };

export function inProcessTransport(server: ApiServer, timers: Timers): HttpTransport {
  const closed = new LinkedSignal();
  return {
    request: async (request) => {
      // Each request pauses, so that timers and input run. Otherwise a client that polls in a loop would wait forever.
      await sleep(timers, 0);
      return ask({ server, closed }, request);
    },
    openSocket: (request) => openSocket({ server, closed }, request),
    close: () => {
      closed.abort();
    },
  };
}

interface Inside {
  readonly server: ApiServer;
  readonly closed: LinkedSignal;
}

async function ask(inside: Inside, request: TransportRequest): Promise<TransportAnswer> {
  const signal = new LinkedSignal(inside.closed, request.signal);
  if (signal.aborted) throw called(signal);
  const answer = await inside.server.handle({
    ...target(request.path),
    method: request.method,
    headers: request.headers,
    body: request.body ?? '',
    user: USER,
    signal,
  });
  return { status: answer.status, headers: answer.headers, body: bytesOf(answer, signal) };
}

function target(path: string): Pick<ServerRequest, 'path' | 'query'> {
  const [before = '', ...query] = path.split('?');
  return { path: decodeURIComponent(before), query: new URLSearchParams(query.join('?')) };
}

async function* bytesOf(answer: ServerAnswer, signal: LinkedSignal): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    if (typeof answer.body === 'string') {
      if (answer.body !== '') yield encoder.encode(answer.body);
      return;
    }
    for await (const piece of answer.body) {
      if (signal.aborted) throw called(signal);
      yield typeof piece === 'string' ? encoder.encode(piece) : piece;
    }
    if (signal.aborted) throw called(signal);
  } finally {
    signal.abort();
  }
}

function called(signal: CancelSignal): Error {
  return posixError('ECANCELED', signal.aborted ? 'the request was cancelled' : 'cancelled');
}

async function openSocket(inside: Inside, request: SocketRequest): Promise<MessageSocket> {
  const signal = new LinkedSignal(inside.closed, request.signal);
  const answer = await inside.server.upgrade({
    ...target(request.path),
    method: 'GET',
    headers: {
      ...request.headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-protocol': request.protocols.join(', '),
    },
    body: '',
    user: USER,
    signal,
  });
  if (answer.kind === 'refused') {
    signal.release();
    const { status, body } = answer.answer;
    throw new UpgradeRefused(status, typeof body === 'string' ? body : '');
  }
  const [ours, served] = socketPair(answer.protocol);
  signal.addEventListener('abort', () => {
    ours.close();
  });
  if (signal.aborted) ours.close();
  void ours.closed.then(signal.release);
  void serveToEnd(answer, served);
  return ours;
}

/** Serves one upgraded connection. After any error the client sees a closed socket. */
async function serveToEnd(
  answer: Extract<UpgradeAnswer, { kind: 'accepted' }>,
  socket: MessageSocket,
): Promise<void> {
  try {
    await answer.serve(socket);
  } catch {
    // If the protocol can report an error, `serve` has already reported it.
  } finally {
    socket.close();
  }
}

/** Number of waiting messages in one direction from which on the sender waits. */
const MAX_WAITING = 16;

/** The two ends of a connection within one process: each receives the messages of the other. */
export function socketPair(protocol: string): readonly [MessageSocket, MessageSocket] {
  const closing = new Closing();
  const there = new Lane(closing);
  const back = new Lane(closing);
  return [
    endOf({ protocol, closing, from: back, to: there }),
    endOf({ protocol, closing, from: there, to: back }),
  ];
}

interface End {
  readonly protocol: string;
  readonly closing: Closing;
  readonly from: Lane;
  readonly to: Lane;
}

function endOf({ protocol, closing, from, to }: End): MessageSocket {
  return {
    protocol,
    messages: from.read(),
    send: (message) => to.send(message),
    ping: () =>
      closing.isClosed ? Promise.reject(new Error('the socket is closed')) : Promise.resolve(),
    close: () => {
      closing.close();
    },
    closed: closing.closed.then(() => ({ code: 1_000, reason: '' })),
  };
}

class Closing {
  isClosed = false;
  readonly #listeners: (() => void)[] = [];
  readonly closed: Promise<void> = new Promise((resolve) => {
    this.#listeners.push(resolve);
  });

  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.#listeners) listener();
  }
}

interface Waiting {
  readonly message: Uint8Array;
  readonly taken: () => void;
}

/** One direction of a connection. Messages that were sent before the close are still delivered. */
class Lane {
  readonly #closing: Closing;
  readonly #queue: Waiting[] = [];
  #wakeReader: () => void = () => undefined;

  constructor(closing: Closing) {
    this.#closing = closing;
    closing.onClose(() => {
      this.#wakeReader();
      for (const { taken } of this.#queue) taken();
    });
  }

  send(message: Uint8Array): Promise<void> {
    if (this.#closing.isClosed) return Promise.reject(new Error('the socket is closed'));
    return new Promise((resolve) => {
      this.#queue.push({ message, taken: resolve });
      if (this.#queue.length < MAX_WAITING) resolve();
      this.#wakeReader();
    });
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#queue.shift();
      if (next !== undefined) {
        next.taken();
        yield next.message;
      } else if (this.#closing.isClosed) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
