/** A bounded queue of bytes for one reader; a writer waits while it is full. */
const QUEUE_MAX_BYTES = 256 * 1024;

export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #wakeReader: () => void = () => undefined;
  #wakeWriter: () => void = () => undefined;

  /** Resolves when the queue can accept more. After `end`, bytes are dropped. */
  async push(piece: Uint8Array): Promise<void> {
    if (this.#ended) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#wakeReader();
    while (this.#isFull()) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  #isFull(): boolean {
    return this.#bytes > QUEUE_MAX_BYTES && !this.#ended;
  }

  /** Queued bytes can still be read. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
    this.#wakeWriter();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        this.#bytes -= piece.length;
        this.#wakeWriter();
        yield piece;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
