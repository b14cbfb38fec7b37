/**
 * One output stream of a container as a file of bounded size: when it is full it is renamed to
 * NAME.1, over the one before, so that at least the last `LOG_MAX_BYTES` stay. A disk that is slower
 * than the container does not fill the memory: what cannot be written in time is left out, and said.
 */
import type { AppendFile, ByteText, Files } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

export const LOG_MAX_BYTES: number = 10 * 1024 * 1024;
/** Waiting for the disk. */
export const LOG_WAITING_MAX_BYTES: number = 8 * 1024 * 1024;

const LOG_MODE = 0o600;

export class LogFile {
  readonly #files: Files;
  readonly #path: string;
  readonly #maxBytes: number;
  #file: AppendFile | null = null;
  #writtenBytes = 0;
  /** Not yet handed over: whole characters wait to be written, the beginning of one for its rest. */
  #waiting: ByteText = '';
  #droppedBytes = 0;
  #writing: Promise<void> | null = null;

  constructor(files: Files, path: string, maxBytes: number = LOG_MAX_BYTES) {
    this.#files = files;
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  add(bytes: ByteText): void {
    if (this.#waiting.length + bytes.length > LOG_WAITING_MAX_BYTES) {
      this.#droppedBytes += bytes.length;
      return;
    }
    this.#waiting += bytes;
    this.#writing ??= this.#writeWaiting(false);
  }

  /** Writes what is left. A log that cannot be written is no reason to lose the exit record. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#writeWaiting(true);
    if (this.#droppedBytes > 0) await this.#write('', this.#takeGap()).catch(() => undefined);
    await this.#file?.close().catch(() => undefined);
  }

  async #writeWaiting(atEnd: boolean): Promise<void> {
    try {
      for (;;) {
        // What has gathered while the disk was slow may be more than one file holds.
        const next = this.#waiting.slice(0, this.#maxBytes);
        const last = atEnd && next.length === this.#waiting.length;
        const length = last ? next.length : wholeCharacters(next);
        if (length === 0) break;
        const piece = this.#waiting.slice(0, length);
        this.#waiting = this.#waiting.slice(length);
        await this.#write(piece, this.#takeGap());
      }
    } catch {
      this.#droppedBytes += this.#waiting.length;
      this.#waiting = '';
    }
    this.#writing = null;
  }

  /** What was lost came after everything that was waiting then. */
  #takeGap(): string {
    const dropped = this.#droppedBytes;
    this.#droppedBytes = 0;
    return dropped === 0 ? '' : `\n[lifehook: ${dropped} bytes of output were lost here]\n`;
  }

  async #write(piece: ByteText, gap: string): Promise<void> {
    if (this.#writtenBytes + piece.length > this.#maxBytes) await this.#rotate();
    this.#file ??= await this.#files.openAppend(this.#path, LOG_MODE);
    await this.#file.write(decodeUtf8(piece) + gap);
    this.#writtenBytes += piece.length;
  }

  async #rotate(): Promise<void> {
    if (this.#file === null) return;
    await this.#file.close();
    this.#file = null;
    this.#writtenBytes = 0;
    await this.#files.rename(this.#path, `${this.#path}.1`);
  }
}

/** UTF-8 sequences have at most four bytes. */
const continuationsMax = 3;

/** The length without a character at the end of which the rest has not come yet. */
function wholeCharacters(bytes: ByteText): number {
  for (let back = 1; back <= Math.min(continuationsMax, bytes.length); back += 1) {
    const code = bytes.charCodeAt(bytes.length - back);
    if (code < 0x80) break;
    // A lead byte says how long its sequence is by its leading ones.
    if (code >= 0xc0) {
      const length = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
      return back < length ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
