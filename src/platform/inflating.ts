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
