import * as native from 'lifehook:native';
import * as os from 'qjs:os';

import type { Channel, ChannelEvents } from '../src/platform/supervisor-host.ts';
import type { ByteText } from '../src/platform/platform.ts';

/** Bytes that a pipe holds by default; one read or write never moves more. */
const pieceBytes = 64 * 1024;
const tryAgain = -11;

/** A channel over a descriptor that never blocks. It owns the descriptor. */
export class DescriptorChannel implements Channel {
  readonly #fd: number;
  #events: ChannelEvents | null = null;
  #waiting: ByteText = '';
  #finishing = false;
  #readEnded: boolean;
  #closed = false;

  /** `readable` is false for an end of a pipe to which this process only writes. */
  constructor(fd: number, readable: boolean = true) {
    this.#fd = fd;
    this.#readEnded = !readable;
  }

  get closed(): boolean {
    return this.#closed;
  }

  open(events: ChannelEvents): void {
    this.#events = events;
    this.resume();
  }

  pause(): void {
    if (!this.#closed) os.setReadHandler(this.#fd, null);
  }

  resume(): void {
    if (this.#closed || this.#readEnded || this.#events === null) return;
    os.setReadHandler(this.#fd, () => {
      this.#read();
    });
  }

  write(bytes: ByteText): boolean {
    if (this.#closed || this.#finishing) return true;
    const wasWaiting = this.#waiting !== '';
    this.#waiting += bytes;
    if (!wasWaiting) this.#writeSome();
    return this.#waiting === '';
  }

  finish(): void {
    this.#finishing = true;
    if (this.#waiting === '') this.close();
  }

  close(): void {
    if (this.#closed) return;
    os.setReadHandler(this.#fd, null);
    os.setWriteHandler(this.#fd, null);
    this.#closed = true;
    this.#waiting = '';
    os.close(this.#fd);
  }

  #read(): void {
    const bytes = native.read(this.#fd, pieceBytes);
    if (bytes === tryAgain) return;
    if (typeof bytes === 'string' && bytes !== '') {
      this.#events?.onData(bytes);
      return;
    }
    // The stream has ended or failed. Linux reports the end of a terminal that no process has open any more as EIO.
    this.#readEnded = true;
    os.setReadHandler(this.#fd, null);
    this.#events?.onEnd();
  }

  #writeSome(): void {
    while (this.#waiting !== '') {
      const taken = native.write(this.#fd, this.#waiting.slice(0, pieceBytes));
      if (taken === tryAgain) {
        os.setWriteHandler(this.#fd, () => {
          this.#writeMore();
        });
        return;
      }
      this.#waiting = taken < 0 ? '' : this.#waiting.slice(taken);
    }
  }

  #writeMore(): void {
    this.#writeSome();
    if (this.#waiting !== '') return;
    os.setWriteHandler(this.#fd, null);
    if (this.#finishing) this.close();
    else this.#events?.onDrain();
  }
}
