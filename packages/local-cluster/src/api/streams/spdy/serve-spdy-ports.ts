/**
 * Serves port forwarding as kubectl does it since 1.31: SPDY/3.1 inside a web socket.
 *
 * For each connection the client opens two streams with the same `requestid`. The `error` stream carries the error text
 * and ends when the connection ends; the `data` stream carries the bytes.
 *
 * As in the clients, there is no window flow control: while the server does not read the socket, the client waits.
 *
 * A SPDY/3.1 header block (draft 3.1, section 2.6.10) has the number of headers, then each name and value with its
 * length. The block of a reply has no headers. It is stored without compression, which every zlib reader accepts.
 */
import type { MessageSocket } from '../../../../../../src/platform/http-transport.ts';
import type { Inflater, Inflating } from '../../../../../../src/platform/inflating.ts';
import type { TcpConnection } from '../../../../../../src/platform/tcp-listener.ts';
import { Forwarding, WaitingBytes } from './forwarding.ts';
import {
  pingFrame,
  readFrames,
  replyFrame,
  resetFrame,
  resetReasons,
  type SpdyFrame,
} from './frames.ts';

/** Maximum number of connections of one session at a time; further ones are refused. */
const MAX_CONNECTIONS = 500;

/** Maximum number of bytes queued for programs that do not read; above it no frame of the client is read. */
const MAX_WAITING_BYTES = 1_048_576;

export interface SpdyPorts {
  readonly socket: MessageSocket;
  readonly inflating: Inflating;
  /** Connects to a port. An abort of `signal` closes the connection, even while it is being opened. */
  readonly connect: (port: number, signal: AbortSignal) => Promise<TcpConnection>;
}

/** Resolves once the socket is closed: by the client, or by the server if the client violates the protocol. */
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

/** Closes all connections when the socket closes, even while reading is paused because of queued bytes. */
async function endWith(socket: MessageSocket, session: Session): Promise<void> {
  await socket.closed;
  session.end();
}

type Opened = Extract<SpdyFrame, { kind: 'open' }>;

class Session {
  readonly #ports: SpdyPorts;
  readonly #inflater: Inflater;
  readonly #waiting = new WaitingBytes(MAX_WAITING_BYTES);
  /** Error streams whose data stream is not open yet, by `requestid`. */
  readonly #halves = new Map<string, number>();
  /** Open connections by their data stream. */
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
        // Data for a stream that has already ended is ignored.
        this.#forwardings.get(frame.stream)?.say(frame.bytes, frame.last);
        return;
      case 'headers':
        await this.#inflater.inflate(frame.headers, MAX_HEADER_BYTES);
        return;
      case 'reset':
        this.#forwardings.get(frame.stream)?.drop();
        this.#forgetHalf(frame.stream);
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

  #forgetHalf(errorStream: number): void {
    for (const [request, stream] of this.#halves) {
      if (stream === errorStream) this.#halves.delete(request);
    }
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
      // A failed send means that the socket is closed, which ends the session too.
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

/** Maximum number of bytes of the decompressed headers of one stream; those of kubectl are below 200 bytes. */
const MAX_HEADER_BYTES = 16_384;

/** Reads decompressed headers; throws if they are truncated. A NUL separates several values of one name. */
export function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (): number => {
    if (at + 4 > bytes.length) throw new Error('SPDY headers are truncated');
    at += 4;
    return view.getUint32(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > bytes.length) throw new Error('SPDY headers are truncated');
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const headers = new Map<string, string>();
  for (let left = number(); left > 0; left -= 1) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}

/** The compressed block of a reply without headers. The zlib header is only in the first reply of a connection. */
export function noHeaders(first: boolean): Uint8Array {
  // Stored blocks (RFC 1951, section 3.2.4): four bytes with the number 0, then the empty block of a flush. Readers in
  // Go return the four bytes only after that block.
  const block = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
  return new Uint8Array(first ? [0x78, 0x01, ...block] : block);
}

/**
 * The shared dictionary of SPDY/3.1 (draft 3.1, section 2.6.10.1): names with their lengths, then frequent numbers and
 * texts. It must not change by a byte: compressed headers refer to positions in it.
 */
const WORDS: readonly string[] = [
  ...(
    'options head post put delete trace accept accept-charset accept-encoding accept-language ' +
    'accept-ranges age allow authorization cache-control connection content-base ' +
    'content-encoding content-language content-length content-location content-md5 ' +
    'content-range content-type date etag expect expires from host if-match if-modified-since ' +
    'if-none-match if-range if-unmodified-since last-modified location max-forwards pragma ' +
    'proxy-authenticate proxy-authorization range referer retry-after server te trailer ' +
    'transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'
  ).split(' '),
  '200 OK',
  ...'version HTTP/1.1 url public set-cookie keep-alive origin'.split(' '),
];

const REST: string =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request' +
  '401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented' +
  '503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 ' +
  'Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,' +
  'application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=' +
  'gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

export const headerDictionary: Uint8Array = new TextEncoder().encode(
  WORDS.map((word) => `\0\0\0${String.fromCodePoint(word.length)}${word}`).join('') + REST,
);
