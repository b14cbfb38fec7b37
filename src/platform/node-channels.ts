import type { Readable, Writable } from 'node:stream';

import type { Channel, ChannelEvents } from './keeper-host.ts';
import type { ByteText } from './platform.ts';

/** A channel over Node's streams; a socket is both of them. */
export class StreamChannel implements Channel {
  readonly #readable: Readable | null;
  readonly #writable: Writable | null;
  #closed = false;

  constructor(readable: Readable | null, writable: Writable | null) {
    this.#readable = readable;
    this.#writable = writable;
    for (const stream of [readable, writable]) stream?.on('error', () => undefined);
  }

  get closed(): boolean {
    return this.#closed;
  }

  open({ onData, onEnd, onDrain }: ChannelEvents): void {
    let ended = false;
    const end = (): void => {
      if (!ended) onEnd();
      ended = true;
    };
    this.#readable?.on('data', (bytes: Buffer) => {
      onData(bytes.toString('latin1'));
    });
    this.#readable?.once('end', end);
    this.#readable?.once('close', end);
    this.#writable?.on('drain', onDrain);
    this.#writable?.once('close', () => {
      this.#closed = true;
      // Whoever waits for its input to be taken waits no longer.
      onDrain();
    });
  }

  pause(): void {
    this.#readable?.pause();
  }

  resume(): void {
    this.#readable?.resume();
  }

  write(bytes: ByteText): boolean {
    if (this.#writable === null || !this.#writable.writable) return true;
    return this.#writable.write(Buffer.from(bytes, 'latin1'));
  }

  finish(): void {
    this.#writable?.end(() => {
      this.close();
    });
  }

  close(): void {
    this.#closed = true;
    this.#readable?.destroy();
    this.#writable?.destroy();
  }
}
