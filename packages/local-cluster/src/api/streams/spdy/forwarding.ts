/**
 * Forwards one connection to a port over SPDY: one stream has the data, and one the errors.
 *
 * Data for the program is queued and counted. A program that does not read blocks other connections only once the queue
 * is full.
 */
import type { TcpConnection } from '../../../../../../src/platform/tcp-listener.ts';
import { dataFrame } from './frames.ts';

export interface ForwardingOptions {
  readonly port: number;
  readonly dataStream: number;
  readonly errorStream: number;
  readonly connect: (port: number, signal: AbortSignal) => Promise<TcpConnection>;
  readonly send: (frame: Uint8Array) => Promise<void>;
  /** Counter of the queued bytes of all connections. */
  readonly waiting: WaitingBytes;
}

/** Maximum number of bytes of data in one frame; longer output is split. */
const MAX_FRAME_BYTES = 32_768;

const NOTHING = new Uint8Array();

export class Forwarding {
  readonly #options: ForwardingOptions;
  readonly #cancel = new AbortController();
  readonly #connection: Promise<TcpConnection>;
  /** Settles after the last queued write to the program. */
  #saying: Promise<unknown>;

  constructor(options: ForwardingOptions) {
    this.#options = options;
    this.#connection = options.connect(options.port, this.#cancel.signal);
    this.#saying = this.#connection.catch(() => undefined);
  }

  /** Sends the program's output until its end. Rejects if the client has disconnected. */
  async run(): Promise<void> {
    const { send, dataStream, errorStream } = this.#options;
    try {
      const complaint = await this.#sendAll();
      if (this.#cancel.signal.aborted) return;
      await send(dataFrame(dataStream, NOTHING, true));
      await send(dataFrame(errorStream, new TextEncoder().encode(complaint), true));
    } finally {
      this.drop();
    }
  }

  /** Returns the error text for the client; '' for success. */
  async #sendAll(): Promise<string> {
    try {
      const connection = await this.#connection;
      for await (const piece of connection.received) await this.#sendData(piece);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #sendData(piece: Uint8Array): Promise<void> {
    const { send, dataStream } = this.#options;
    for (let start = 0; start < piece.length; start += MAX_FRAME_BYTES) {
      const bytes = piece.subarray(start, start + MAX_FRAME_BYTES);
      await send(dataFrame(dataStream, bytes, false));
    }
  }

  /** Queues data of the client; `last`: the client sends no more. */
  say(bytes: Uint8Array, last: boolean): void {
    this.#then(bytes.length, (connection) => connection.write(bytes));
    if (last) {
      this.#then(0, async (connection) => {
        connection.endWriting();
      });
    }
  }

  /** Queues `work` behind earlier work. Ignores its errors: if the program has exited, `run` reports its end. */
  #then(bytes: number, work: (connection: TcpConnection) => Promise<void>): void {
    const { waiting } = this.#options;
    waiting.add(bytes);
    this.#saying = Promise.all([this.#connection, this.#saying])
      .then(([connection]) => work(connection))
      .catch(() => undefined)
      .finally(() => {
        waiting.remove(bytes);
      });
  }

  /** Closes the connection to the program. */
  drop(): void {
    this.#cancel.abort();
  }
}

/** Counts queued bytes, for a reader that pauses until there is space. */
export class WaitingBytes {
  readonly #max: number;
  #bytes = 0;
  #wake: () => void = () => undefined;

  constructor(max: number) {
    this.#max = max;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes <= this.#max) this.#wake();
  }

  /** Resolves when there is space. Only one caller may wait at a time. */
  async drained(): Promise<void> {
    if (this.#bytes <= this.#max) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
