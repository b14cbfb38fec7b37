/**
 * The server's side of port forwarding as kubectl does it since 1.31: SPDY/3.1 inside a web socket. For each
 * connection the client opens two streams with the same `requestid`: one of type `error`, which carries the
 * error text and ends with the connection, and one of type `data`.
 *
 * There is no window flow control, as in the clients: if nothing is read from the socket, the client waits.
 */
import type { MessageSocket } from '../../../../../../src/platform/http-transport.ts';
import type { Inflater, Inflating } from '../../../../../../src/platform/inflating.ts';
import type { PortConnection } from '../../pod-streams.ts';
import { headerDictionary, MAX_HEADER_BYTES, noHeaders, readHeaders } from './headers.ts';
import { Forwarding, WaitingBytes } from './forwarding.ts';
import {
  pingFrame,
  readFrames,
  replyFrame,
  resetFrame,
  resetReasons,
  type SpdyFrame,
} from './frames.ts';

/** The most connections of one session at a time; more are refused. */
const MAX_CONNECTIONS = 500;

/** The most bytes queued for programs that do not read; above it the client waits. */
const MAX_WAITING_BYTES = 1_048_576;

export interface SpdyPorts {
  readonly socket: MessageSocket;
  readonly inflating: Inflating;
  /** An abort ends the connection at any stage. */
  readonly connect: (port: number, signal: AbortSignal) => Promise<PortConnection>;
}

/** Returns at the end of the socket. A protocol violation of the client closes it. */
export async function serveSpdyPorts(ports: SpdyPorts): Promise<void> {
  const session = new Session(ports);
  void endWith(ports.socket, session);
  try {
    await session.run();
  } catch {
    // The socket is closed, or the bytes are not SPDY: there is no client to report to.
  } finally {
    session.end();
    ports.socket.close();
  }
}

/** Also while reading is paused because of queued bytes. */
async function endWith(socket: MessageSocket, session: Session): Promise<void> {
  await socket.closed;
  session.end();
}

type Opened = Extract<SpdyFrame, { kind: 'open' }>;

class Session {
  readonly #ports: SpdyPorts;
  readonly #inflater: Inflater;
  readonly #waiting = new WaitingBytes(MAX_WAITING_BYTES);
  /** Error streams whose data stream is not open yet, by request. */
  readonly #halves = new Map<string, number>();
  /** By data stream. */
  readonly #forwardings = new Map<number, Forwarding>();
  #replied = false;

  constructor(ports: SpdyPorts) {
    this.#ports = ports;
    this.#inflater = ports.inflating.open(headerDictionary);
  }

  async run(): Promise<void> {
    for await (const frame of readFrames(this.#ports.socket.messages)) {
      await this.#take(frame);
      await this.#waiting.drained();
    }
  }

  end(): void {
    for (const forwarding of this.#forwardings.values()) forwarding.drop();
    this.#inflater.close();
  }

  async #take(frame: SpdyFrame): Promise<void> {
    switch (frame.kind) {
      case 'open':
        return this.#open(frame);
      case 'data':
        // Late data of a stream that has ended is ignored.
        this.#forwardings.get(frame.stream)?.say(frame.bytes, frame.last);
        return;
      case 'headers':
        await this.#inflater.inflate(frame.headers, MAX_HEADER_BYTES);
        return;
      case 'reset':
        this.#forwardings.get(frame.stream)?.drop();
        return;
      case 'ping':
        return this.#send(pingFrame(frame.id));
      case 'other':
        return;
    }
  }

  async #open({ stream, headers: compressed }: Opened): Promise<void> {
    const headers = readHeaders(await this.#inflater.inflate(compressed, MAX_HEADER_BYTES));
    const port = portOf(headers.get('port') ?? '');
    const request = headers.get('requestid') ?? '';
    const type = headers.get('streamtype');
    if (port === null || (type !== 'error' && type !== 'data')) {
      return this.#send(resetFrame(stream, resetReasons.protocolError));
    }
    if (type === 'error') {
      if (this.#forwardings.size + this.#halves.size >= MAX_CONNECTIONS) {
        return this.#send(resetFrame(stream, resetReasons.refusedStream));
      }
      this.#halves.set(request, stream);
      return this.#accept(stream);
    }
    const errorStream = this.#halves.get(request);
    if (errorStream === undefined) {
      return this.#send(resetFrame(stream, resetReasons.protocolError));
    }
    this.#halves.delete(request);
    await this.#accept(stream);
    this.#forward({ port, dataStream: stream, errorStream });
  }

  async #accept(stream: number): Promise<void> {
    const first = !this.#replied;
    this.#replied = true;
    await this.#send(replyFrame(stream, noHeaders(first)));
  }

  #forward(streams: { port: number; dataStream: number; errorStream: number }): void {
    const { dataStream } = streams;
    const forwarding = new Forwarding({
      ...streams,
      connect: this.#ports.connect,
      send: (frame) => this.#send(frame),
      waiting: this.#waiting,
    });
    this.#forwardings.set(dataStream, forwarding);
    void forwarding
      .run()
      // The socket is closed, which ends the session as well.
      .catch(() => undefined)
      .finally(() => this.#forwardings.delete(dataStream));
  }

  #send(frame: Uint8Array): Promise<void> {
    return this.#ports.socket.send(frame);
  }
}

function portOf(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}
