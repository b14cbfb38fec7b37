/**
 * Reads and writes the frames of SPDY/3.1 (draft 3.1, section 2.2) that port forwarding needs. The messages of
 * the web socket may begin and end anywhere in a frame.
 */

export type SpdyFrame =
  | {
      readonly kind: 'data';
      readonly stream: number;
      readonly last: boolean;
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'open';
      readonly stream: number;
      readonly last: boolean;
      /** Compressed headers. */
      readonly headers: Uint8Array;
    }
  /** Headers of an open stream. They are not used, but later headers can be decompressed only after them. */
  | { readonly kind: 'headers'; readonly headers: Uint8Array }
  | { readonly kind: 'reset'; readonly stream: number }
  | { readonly kind: 'ping'; readonly id: Uint8Array }
  /** Settings, window updates and goaway, which are ignored. */
  | { readonly kind: 'other' };

/** Maximum number of bytes of one frame; clients send at most 32 KiB. */
const MAX_FRAME_BYTES = 1_048_576;

const HEAD_BYTES = 8;
const VERSION = 3;
const LAST = 1;
const TYPES = { open: 1, reply: 2, reset: 3, ping: 6, headers: 8 } as const;

/** Reads frames until the input ends. Throws if the bytes are not SPDY/3.1, or if a frame is too long. */
export async function* readFrames(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<SpdyFrame, void> {
  let waiting: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    waiting = waiting.length === 0 ? piece : joined(waiting, piece);
    for (;;) {
      const bytes = frameBytes(waiting);
      if (bytes === null || waiting.length < bytes) break;
      yield frameOf(waiting.subarray(0, bytes));
      waiting = waiting.subarray(bytes);
    }
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** Length of the first frame; null while its header is incomplete. */
function frameBytes(bytes: Uint8Array): number | null {
  if (bytes.length < HEAD_BYTES) return null;
  const length = viewOf(bytes).getUint32(4) & 0xff_ff_ff;
  if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes is too long`);
  return HEAD_BYTES + length;
}

function frameOf(bytes: Uint8Array): SpdyFrame {
  const view = viewOf(bytes);
  const first = view.getUint32(0);
  const last = (view.getUint8(4) & LAST) !== 0;
  const body = bytes.subarray(HEAD_BYTES);
  // The first bit distinguishes control frames from data frames.
  if (first < 0x80_00_00_00) return { kind: 'data', stream: first, last, bytes: body };
  const version = (first >>> 16) & 0x7f_ff;
  if (version !== VERSION) throw new Error(`SPDY version ${version} is not supported`);
  switch (first & 0xff_ff) {
    case TYPES.open:
      return { kind: 'open', stream: streamAt(body, 10), last, headers: body.subarray(10) };
    case TYPES.reply:
      // Clients send no SYN_REPLY. If one does, its compressed headers must be decompressed like all others.
      return { kind: 'headers', headers: body.subarray(4) };
    case TYPES.headers:
      return { kind: 'headers', headers: body.subarray(4) };
    case TYPES.reset:
      return { kind: 'reset', stream: streamAt(body, 8) };
    case TYPES.ping:
      return { kind: 'ping', id: body };
    default:
      return { kind: 'other' };
  }
}

function streamAt(body: Uint8Array, minBytes: number): number {
  if (body.length < minBytes) throw new Error('an SPDY frame is too short');
  return viewOf(body).getUint32(0) & 0x7f_ff_ff_ff;
}

/** Encodes a data frame. `last`: nothing follows on this stream. */
export function dataFrame(stream: number, bytes: Uint8Array, last: boolean): Uint8Array {
  return framed(stream, last ? LAST : 0, bytes);
}

/** Accepts a stream that the client opened. `headers` are compressed. */
export function replyFrame(stream: number, headers: Uint8Array): Uint8Array {
  const body = new Uint8Array(4 + headers.length);
  viewOf(body).setUint32(0, stream);
  body.set(headers, 4);
  return controlFrame(TYPES.reply, body);
}

/** Reasons for a reset of a stream (draft 3.1, section 2.6.3). */
export const resetReasons = { protocolError: 1, refusedStream: 3 } as const;

export function resetFrame(stream: number, reason: number): Uint8Array {
  const body = new Uint8Array(8);
  viewOf(body).setUint32(0, stream);
  viewOf(body).setUint32(4, reason);
  return controlFrame(TYPES.reset, body);
}

/** The frame that answers a ping is the ping frame itself. */
export function pingFrame(id: Uint8Array): Uint8Array {
  return controlFrame(TYPES.ping, id);
}

function controlFrame(type: number, body: Uint8Array): Uint8Array {
  return framed(0x80_00_00_00 + VERSION * 0x1_00_00 + type, 0, body);
}

function framed(first: number, flags: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + body.length);
  viewOf(bytes).setUint32(0, first);
  viewOf(bytes).setUint32(4, flags * 0x1_00_00_00 + body.length);
  bytes.set(body, HEAD_BYTES);
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
