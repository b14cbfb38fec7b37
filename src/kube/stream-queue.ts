/**
 * The bytes of one channel, between the socket and the reader. Bounded by back-pressure, never by dropping: a writer
 * waits until there is space. After the reader leaves its loop, further bytes are discarded.
 */
export class StreamQueue implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** No more bytes are accepted: the channel has ended, or its reader has left. */
  #closed = false;
  #wakeReader: () => void = () => undefined;
  #wakeWriter: () => void = () => undefined;

  /** Resolves when there is space for more bytes, or at once if no more bytes are accepted. */
  async add(chunk: Uint8Array): Promise<void> {
    if (this.#closed || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#wakeReader();
    if (this.#bytes < queueBytesMax) return;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  /** Accepts no more bytes; the queued ones can still be read. */
  end(): void {
    this.#closed = true;
    this.#wakeReader();
    this.#wakeWriter();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#take();
        if (chunk !== undefined) {
          yield chunk;
        } else if (this.#closed) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        }
      }
    } finally {
      this.end();
      this.#chunks = [];
    }
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#chunks.shift();
    this.#bytes -= chunk?.length ?? 0;
    if (this.#bytes < queueBytesMax) this.#wakeWriter();
    return chunk;
  }
}

/**
 * Maximum number of queued bytes of one channel. It is exceeded by at most one message, since a message is queued as a
 * whole.
 */
export const queueBytesMax: number = 256 * 1024;
