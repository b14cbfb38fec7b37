/** Reads the complete lines of a file that another process appends to. A replaced file is read from its start. */
import type { FileTails } from '../../platform/file-tails.ts';

const BLOCK_BYTES = 262_144;
/** Bytes of one read: the rest follows with the next. */
const MAX_READ_BYTES = 16_777_216;
/** Bytes; a longer line is no record of Lifehook, and is skipped. */
const MAX_LINE_BYTES = 4_194_304;

export class GrowingLines {
  readonly #tails: FileTails;
  readonly #path: string;
  #identity: string | null = null;
  #offset = 0;
  #begun = '';

  constructor(tails: FileTails, path: string) {
    this.#tails = tails;
    this.#path = path;
  }

  /** As bytes, without line ends; empty if the file does not exist or has no new line. */
  async next(): Promise<string[]> {
    const tail = await this.#tails.open(this.#path);
    if (tail === null) return [];
    try {
      if (tail.identity !== this.#identity) this.#beginAnew(tail.identity);
      let text = this.#begun;
      for (let readBytes = 0; readBytes < MAX_READ_BYTES; readBytes += BLOCK_BYTES) {
        const block = await tail.read(this.#offset, BLOCK_BYTES);
        this.#offset += block.length;
        text += block;
        if (block.length < BLOCK_BYTES) break;
      }
      const lines = text.split('\n');
      this.#begun = lines.pop() ?? '';
      if (this.#begun.length > MAX_LINE_BYTES) this.#begun = '';
      return lines.filter((line) => line !== '');
    } finally {
      await tail.close();
    }
  }

  #beginAnew(identity: string): void {
    this.#identity = identity;
    this.#offset = 0;
    this.#begun = '';
  }
}
