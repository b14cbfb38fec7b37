/**
 * Reads the frames of one socket in order. The next frame is read only when the previous one was taken, so a slow
 * reader slows the server down. The pump ends by itself when the socket is closed, when the peer is silent for too
 * long, or when the data are not frames.
 */
import type { MessageSocket } from '../platform/http-transport.ts';
import type { Timers } from '../platform/platform.ts';

/** The cause why no more frames arrive; `why` is the beginning of a sentence about it. */
export interface PumpEnd {
  readonly cause: 'closed' | 'stalled' | 'garbled';
  readonly why: string;
  /** The close code of the socket (1000: the peer ended normally); null: the socket was not closed. */
  readonly code: number | null;
}

export interface Pump {
  readonly socket: MessageSocket;
  readonly timers: Timers;
  readonly framesSent: () => number;
  readonly take: (channel: number, payload: Uint8Array) => Promise<void>;
  /** Whether only the close of the socket is still expected. It is awaited for `lingerMs` only. */
  readonly isOver: () => boolean;
}

/**
 * Milliseconds that the server has after the status of a command, and after each message that follows it, to send the
 * next message or close.
 */
export const lingerMs = 5_000;

export async function pumpFrames(pump: Pump): Promise<PumpEnd> {
  const { socket, timers } = pump;
  const messages = socket.messages[Symbol.asyncIterator]();
  const watch = watchPeer(pump);
  for (;;) {
    const watched = pump.isOver() ? linger(timers) : watch();
    const next = await nextMessage(messages, watched);
    if (next === 'stalled') return STALLED;
    if (next.done === true) return closedEnd(socket);
    const [channel] = next.value;
    if (channel === undefined) return garbled;
    await pump.take(channel, next.value.subarray(1));
  }
}

const garbled: PumpEnd = {
  cause: 'garbled',
  why: 'the server sent a message that names no channel',
  code: null,
};
const STALLED: PumpEnd = {
  cause: 'stalled',
  why: 'the server stopped answering',
  code: null,
};

async function nextMessage(
  messages: AsyncIterator<Uint8Array>,
  watched: PeerWatch,
): Promise<IteratorResult<Uint8Array, unknown> | 'stalled'> {
  try {
    return await Promise.race([messages.next(), watched.stalled]);
  } finally {
    watched.release();
  }
}

function linger(timers: Timers): PeerWatch {
  let callOff: () => void = () => undefined;
  const tooLong = new Promise<'stalled'>((resolve) => {
    callOff = timers.after(lingerMs, () => {
      resolve('stalled');
    });
  });
  return {
    stalled: tooLong,
    release: () => {
      callOff();
    },
  };
}

async function closedEnd(socket: MessageSocket): Promise<PumpEnd> {
  const { code, reason } = await socket.closed;
  const how = code === brokenCode ? 'the connection broke' : `the server closed it (${code})`;
  return { cause: 'closed', why: reason === '' ? how : `${how}: ${reason}`, code };
}

/** The close code of a socket that ended without a close frame. */
const brokenCode = 1006;

export interface PeerWatch {
  /** Resolves when the peer has not answered in time. The watch begins when this object is created. */
  readonly stalled: Promise<'stalled'>;
  /** Removes the timer. */
  release(): void;
}

export interface Peer {
  readonly socket: Pick<MessageSocket, 'ping'>;
  readonly timers: Timers;
  readonly framesSent: () => number;
}

/** Milliseconds without a message until the peer is pinged. */
export const pingAfterMs = 15_000;
/** Milliseconds that the peer has to answer a ping. */
export const pongWithinMs = 15_000;

/**
 * Distinguishes a silent peer from a dead one: after a time without a message the peer is pinged, and must answer. It
 * is pinged only while we wait for a message, so a slow reader of ours never causes a failure.
 *
 * There is one exception. The API server reads a connection in order, and stops at input that a command does not
 * accept. It then answers no ping, although the command is alive. While sent input is not confirmed by a pong, only the
 * caller's own deadline counts. Call this once per connection; each call of the returned function begins a watch.
 */
function watchPeer({ socket, timers, framesSent }: Peer): () => PeerWatch {
  let framesConfirmed = 0;
  return () => {
    let released = false;
    let callOff: () => void = () => undefined;
    const wait = (ms: number, then: () => void): void => {
      callOff();
      if (!released) callOff = timers.after(ms, then);
    };
    const stalled = new Promise<'stalled'>((resolve) => {
      const ping = (): void => {
        const framesBefore = framesSent();
        wait(pongWithinMs, judge);
        const confirm = (): void => {
          framesConfirmed = Math.max(framesConfirmed, framesBefore);
          wait(pingAfterMs, ping);
        };
        // A ping fails only if the socket is closed, and the reader of the socket notices that too.
        socket.ping().then(confirm, () => undefined);
      };
      const judge = (): void => {
        if (framesSent() > framesConfirmed) wait(pongWithinMs, judge);
        else resolve('stalled');
      };
      wait(pingAfterMs, ping);
    });
    return {
      stalled,
      release: () => {
        released = true;
        callOff();
      },
    };
  };
}
