/**
 * Tells a peer that is silent from one that is gone: after a while without a message it is pinged, and
 * has to answer. It is only asked while we wait for a message, so a slow reader of ours is never its fault.
 *
 * One silence is excused. The API server reads a connection in order, and stops at input that a command
 * does not take: it then answers no ping, which is no reason to give the command up.
 * As long as input is on its way that no pong has confirmed, only the caller's own deadline counts.
 */
import type { MessageSocket } from '../platform/http-transport.ts';
import type { Timers } from '../platform/platform.ts';

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

/** For one connection; the function begins to watch. */
export function watchPeer({ socket, timers, framesSent }: Peer): () => PeerWatch {
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
