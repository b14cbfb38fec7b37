/** Frames from `lifehook-launch` as they arrive: "<id> <kind> <bytes>\n" and so many bytes. */
export interface LaunchFrame {
  readonly id: number;
  readonly kind: string;
  readonly payload: Buffer;
}

const LINE_FEED = 10;

/** A frame is at most what a pipe holds and its header, so that what is unfinished stays small. */
export class LaunchFrames {
  #unread: Buffer = Buffer.alloc(0);

  /** The frames that this piece completes, in their order. */
  push(piece: Buffer): LaunchFrame[] {
    const bytes = this.#unread.length === 0 ? piece : Buffer.concat([this.#unread, piece]);
    const frames: LaunchFrame[] = [];
    let at = 0;
    for (;;) {
      const headEnd = bytes.indexOf(LINE_FEED, at);
      if (headEnd === -1) break;
      const [id = '', kind = '', size = ''] = bytes.toString('latin1', at, headEnd).split(' ');
      const end = headEnd + 1 + Number(size);
      if (end > bytes.length) break;
      frames.push({ id: Number(id), kind, payload: bytes.subarray(headEnd + 1, end) });
      at = end;
    }
    this.#unread = bytes.subarray(at);
    return frames;
  }
}
