/**
 * One connection to a port of a pod, through the API server. Each uses its own web socket and the plain protocol
 * `v4.channel.k8s.io`: channel 0 has the bytes, channel 1 the error, and each begins with the port number. The protocol
 * has no half-close: closing ends both directions.
 *
 * Servers also offer SPDY inside a web socket. They pass the plain protocol through to the kubelet and the runtime of
 * the node, so one protocol is sufficient.
 */
import type { CancelSignal } from '../platform/platform.ts';
import type { MessageSocket } from '../platform/http-transport.ts';
import type { KubeConnection } from './client.ts';
import { collectText, frame, type StreamText } from './stream-frames.ts';
import { openStream } from './stream-open.ts';
import { type PumpEnd, pumpFrames } from './stream-pump.ts';
import { StreamQueue } from './stream-queue.ts';

export interface PortForwardOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** Abort closes the connection. */
  readonly signal?: CancelSignal;
}

export type PortEnd =
  /** The program on the port, or this process, has closed the connection. */
  | { readonly kind: 'closed' }
  /** The error of the node, for example that no program listens on the port. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'lost'; readonly why: string };

export interface PortConnection {
  /** The received bytes, read no faster than the caller reads. `ended` says whether they are complete. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves when the bytes were sent to the server; false: the connection is closed. */
  write(bytes: Uint8Array): Promise<boolean>;
  readonly ended: Promise<PortEnd>;
  close(): void;
}

/** Rejects with `ApiError` or `UnreachableError` if the request for the port failed. */
export async function forwardPort(
  connection: KubeConnection,
  { namespace, pod, port, signal }: PortForwardOptions,
): Promise<PortConnection> {
  const socket = await openStream(connection, {
    namespace,
    pod,
    subresource: 'portforward',
    query: [['ports', String(port)]],
    protocol: 'v4.channel.k8s.io',
    signal,
  });
  const forwarded = new ForwardedPort(socket);
  const close = (): void => {
    forwarded.close();
  };
  if (signal?.aborted === true) close();
  else signal?.addEventListener('abort', close);
  void forwarded.run(connection, () => {
    signal?.removeEventListener('abort', close);
  });
  return forwarded;
}

const dataChannel = 0;
const errorChannel = 1;
/** The size of the port number at the beginning of both channels. */
const portBytes = 2;
/** Maximum size of a frame of data. */
const frameBytesMax: number = 32 * 1024;
/** Maximum length of the error message of a node. */
const messageUnitsMax = 4096;

class ForwardedPort implements PortConnection {
  readonly received: StreamQueue = new StreamQueue();
  readonly ended: Promise<PortEnd>;
  readonly #socket: MessageSocket;
  readonly #complaint: StreamText = collectText(messageUnitsMax);
  #framesSent = 0;
  /** For each channel, the number of bytes of the port number that have not arrived yet. */
  readonly #prefixLeft: [number, number] = [portBytes, portBytes];
  #settle: (end: PortEnd) => void = () => undefined;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Receives until the connection ends, and then calls `atEnd`. Never rejects. */
  async run({ platform }: KubeConnection, atEnd: () => void): Promise<void> {
    const pumped = await pumpFrames({
      socket: this.#socket,
      timers: platform.timers,
      framesSent: () => this.#framesSent,
      take: (channel, payload) => this.#take(channel, payload),
      isOver: () => this.#complaint.text !== '',
    });
    this.#end(endOf(pumped));
    atEnd();
  }

  async write(bytes: Uint8Array): Promise<boolean> {
    for (let start = 0; start < bytes.length; start += frameBytesMax) {
      this.#framesSent += 1;
      try {
        await this.#socket.send(frame(dataChannel, bytes.subarray(start, start + frameBytesMax)));
      } catch {
        return false;
      }
    }
    return true;
  }

  close(): void {
    this.#end({ kind: 'closed' });
  }

  #end(end: PortEnd): void {
    this.received.end();
    this.#settle(
      this.#complaint.text === '' ? end : { kind: 'failed', message: this.#complaint.text },
    );
    this.#socket.close();
  }

  async #take(channel: number, payload: Uint8Array): Promise<void> {
    if (channel !== dataChannel && channel !== errorChannel) return;
    const skipped = Math.min(this.#prefixLeft[channel], payload.length);
    this.#prefixLeft[channel] -= skipped;
    const rest = payload.subarray(skipped);
    if (channel === dataChannel) await this.received.add(rest);
    else this.#complaint.add(rest);
  }
}

function endOf({ cause, code, why }: PumpEnd): PortEnd {
  return cause === 'closed' && code === cleanCode ? { kind: 'closed' } : { kind: 'lost', why };
}

/** The close code of a normal end. */
const cleanCode = 1000;
