/**
 * Reads the frames of one socket, in order, each only after the one before has been taken: whoever takes
 * slowly slows the server down. It ends by itself: when the socket is closed, the peer is silent for too
 * long, or what comes are no frames.
 */
import type { MessageSocket } from '../platform/http-transport.ts';
import type { Timers } from '../platform/platform.ts';

/** Why there are no more frames, with the beginning of a sentence about it. */
export interface PumpEnd {
  readonly cause: 'closed' | 'stalled' | 'garbled';
  readonly why: string;
  /** The close code of the socket, where it was closed: 1000 says that the peer was done. */
  readonly code: number | null;
}

export interface Pump {
  readonly socket: MessageSocket;
  readonly timers: Timers;
  readonly framesSent: () => number;
  readonly take: (channel: number, payload: Uint8Array) => Promise<void>;
  /** From when on nothing more is expected but the end, for which then nobody waits long. */
  readonly isOver: () => boolean;
}

/** A server that has told the end of a command closes the connection, after the output that is left. */
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

/** What a socket reports that ended without a goodbye. */
const brokenCode = 1006;

export interface PeerWatch {
  /** Resolves when the peer has not answered in time; watching begins now. */
  readonly stalled: Promise<'stalled'>;
  /** Leaves no timer behind. */
  release(): void;
}

export interface Peer {
  readonly socket: Pick<MessageSocket, 'ping'>;
  readonly timers: Timers;
  /** How many frames of input have been sent to it. */
  readonly framesSent: () => number;
}

/** Without a message for this long, the peer is pinged. */
export const pingAfterMs = 15_000;
/** And has this long to answer. */
export const pongWithinMs = 15_000;

/**
 * Tells a peer that is silent from one that is gone: after a while without a message it is pinged, and
 * has to answer. It is only asked while we wait for a message, so a slow reader of ours is never its fault.
 *
 * One silence is excused. The API server reads a connection in order, and stops at input that a command
 * does not take: it then answers no ping, which is no reason to give the command up.
 * As long as input is on its way that no pong has confirmed, only the caller's own deadline counts.
 * For one connection; the function begins to watch.
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
        // A ping that fails says that the socket is closed, which its reader is told as well.
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
