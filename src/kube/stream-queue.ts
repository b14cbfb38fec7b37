/**
 * The bytes of one channel between the socket that brings them and the one who reads them. Bounded by
 * back-pressure, never by dropping: whoever adds waits until there is room again. A reader that leaves
 * its loop wants no more, and what comes then is thrown away.
 */
export class StreamQueue implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Nothing more is taken in: the channel has ended, or nobody reads it any more. */
  #closed = false;
  #wakeReader: () => void = () => undefined;
  #wakeWriter: () => void = () => undefined;

  /** Resolves when there is room for more; at once after the end. */
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

  /** What is in it can still be read. */
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

/** Kept of one channel; one message more than that, since a message is taken in whole. */
export const queueBytesMax: number = 256 * 1024;
