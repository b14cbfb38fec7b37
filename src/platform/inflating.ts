import { createInflate, type Inflate } from 'node:zlib';

import { posixError } from './posix-error.ts';

/** Taking apart what was compressed piece by piece with zlib (RFC 1950), where each piece is read at once. */
export interface Inflating {
  /** One stream of pieces, each of which leans on those before it. `dictionary` is what both sides know. */
  open(dictionary: Uint8Array): Inflater;
}

export interface Inflater {
  /**
   * What the piece holds, which its sender has flushed. Rejects when it is damaged or holds more than
   * `maxBytes`; nothing can be read after that. One call at a time.
   */
  inflate(piece: Uint8Array, maxBytes: number): Promise<Uint8Array>;
  close(): void;
}

/** Inflating over `node:zlib`. */
export const nodeInflating: Inflating = {
  open: (dictionary) => new NodeInflater(createInflate({ dictionary })),
};

class NodeInflater implements Inflater {
  readonly #stream: Inflate;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #maxBytes = 0;

  constructor(stream: Inflate) {
    this.#stream = stream;
    stream.on('data', (piece: Buffer) => {
      this.#bytes += piece.length;
      if (this.#bytes > this.#maxBytes) stream.destroy();
      else this.#pieces.push(piece);
    });
    // Told to who waits for a piece; without a listener it would end the process.
    stream.on('error', () => undefined);
  }

  inflate(piece: Uint8Array, maxBytes: number): Promise<Uint8Array> {
    this.#pieces = [];
    this.#bytes = 0;
    this.#maxBytes = maxBytes;
    return new Promise((resolve, reject) => {
      const closed = (): void => {
        reject(posixError('EPIPE', 'the compressed stream is closed'));
      };
      this.#stream.once('close', closed);
      this.#stream.once('error', reject);
      this.#stream.write(piece, (error) => {
        this.#stream.off('close', closed);
        this.#stream.off('error', reject);
        if (error) reject(error);
        else if (this.#bytes > maxBytes)
          reject(posixError('EMSGSIZE', `it holds more than ${maxBytes} bytes`));
        else resolve(Buffer.concat(this.#pieces));
      });
    });
  }

  close(): void {
    this.#stream.destroy();
  }
}
