import { createInflate, type Inflate } from 'node:zlib';

import { posixError } from './posix-error.ts';

/** Decompresses zlib data (RFC 1950) piece by piece; each piece can be read at once. */
export interface Inflating {
  /** Opens a stream of pieces, each of which depends on the pieces before it. Both sides know the `dictionary`. */
  open(dictionary: Uint8Array): Inflater;
}

export interface Inflater {
  /**
   * Returns the content of a piece that its sender has flushed. Rejects if the piece is damaged or its content exceeds
   * `maxBytes`; the stream cannot be read after that. One call at a time.
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
    // The waiting call reports the error. This listener only prevents that the error crashes the process.
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
