/**
 * An open session with one command, or attached to a container: its three streams, the size of its terminal, and its
 * outcome. `execInPod` uses it, as do all callers that interact with a command for longer.
 *
 * - Only a Status of the server determines the outcome. Any other end of the connection is "lost".
 * - Output is read no faster than the caller reads it. Both streams use one connection, so a caller that requests
 *     both must read both: if one is full, the other is blocked.
 * - The streams end when the connection ends or breaks: `ended` says whether they are complete.
 * - Nothing here rejects because of the other side.
 */
import type { TerminalSize } from '../platform/supervisor-host.ts';
import type { MessageSocket } from '../platform/http-transport.ts';
import type { CancelSignal, Timers } from '../platform/platform.ts';
import type { Status } from './api-error.ts';
import {
  channels,
  closeFrame,
  collectText,
  frame,
  readStatus,
  resizeFrame,
  type StreamText,
} from './stream-frames.ts';
import { type PumpEnd, pumpFrames } from './stream-pump.ts';
import { StreamQueue } from './stream-queue.ts';

export type SessionEnd =
  | { readonly kind: 'status'; readonly status: Status }
  | {
      readonly kind: 'lost';
      /** 'left': this process closed the session. */
      readonly cause: PumpEnd['cause'] | 'left';
      /** The end of a sentence: "the connection broke". */
      readonly why: string;
    };

export interface StreamSession {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when all input was sent to the server; false: the session has ended. */
  write(input: Uint8Array): Promise<boolean>;
  /** Closes the input of the command (half-close). False: the session has ended. */
  endStdin(): Promise<boolean>;
  /** Sets the size of the terminal, if the session has one. False: the session has ended. */
  resize(size: TerminalSize): Promise<boolean>;
  /** The status from the server, as soon as it arrives; output may still follow. */
  readonly status: Status | null;
  /** Resolves after the status and the last output, or when the connection has ended before them. */
  readonly ended: Promise<SessionEnd>;
  /** Closes the session; the command is not terminated, and may still be running. */
  close(): void;
}

export interface SessionOptions {
  readonly socket: MessageSocket;
  readonly timers: Timers;
  /** Abort closes the session. */
  readonly signal?: CancelSignal | undefined;
}

const inputFrameBytesMax: number = 32 * 1024;
/** Maximum length of the text of the status channel; a status has a few hundred characters. */
const statusUnitsMax: number = 64 * 1024;

export function startSession({ socket, timers, signal }: SessionOptions): StreamSession {
  const session = new Session(socket);
  const close = (): void => {
    session.close();
  };
  if (signal?.aborted === true) close();
  else signal?.addEventListener('abort', close);
  void session.run(timers, () => {
    signal?.removeEventListener('abort', close);
  });
  return session;
}

class Session implements StreamSession {
  readonly stdout: StreamQueue = new StreamQueue();
  readonly stderr: StreamQueue = new StreamQueue();
  readonly ended: Promise<SessionEnd>;
  status: Status | null = null;
  readonly #socket: MessageSocket;
  readonly #reported: StreamText = collectText(statusUnitsMax);
  #framesSent = 0;
  #settle: (end: SessionEnd) => void = () => undefined;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Receives until the session ends, and then calls `atEnd`. Never rejects. */
  async run(timers: Timers, atEnd: () => void): Promise<void> {
    const pumped = await pumpFrames({
      socket: this.#socket,
      timers,
      framesSent: () => this.#framesSent,
      take: (channel, payload) => this.#take(channel, payload),
      isOver: () => this.status !== null,
    });
    this.#end({ kind: 'lost', cause: pumped.cause, why: this.#describe(pumped) });
    atEnd();
  }

  async write(input: Uint8Array): Promise<boolean> {
    for (let start = 0; start < input.length; start += inputFrameBytesMax) {
      const piece = input.subarray(start, start + inputFrameBytesMax);
      if (!(await this.#send(frame(channels.stdin, piece)))) return false;
    }
    return true;
  }

  async endStdin(): Promise<boolean> {
    return this.#send(closeFrame(channels.stdin));
  }

  async resize(size: TerminalSize): Promise<boolean> {
    return this.#send(resizeFrame(size));
  }

  close(): void {
    this.#end({ kind: 'lost', cause: 'left', why: 'this process closed the connection' });
  }

  /** The first end counts, but a received status takes precedence. */
  #end(end: SessionEnd): void {
    this.stdout.end();
    this.stderr.end();
    this.#settle(this.status === null ? end : { kind: 'status', status: this.status });
    this.#socket.close();
  }

  async #send(message: Uint8Array): Promise<boolean> {
    this.#framesSent += 1;
    try {
      await this.#socket.send(message);
      return true;
    } catch {
      return false;
    }
  }

  async #take(channel: number, payload: Uint8Array): Promise<void> {
    switch (channel) {
      case channels.stdout:
        return this.stdout.add(payload);
      case channels.stderr:
        return this.stderr.add(payload);
      case channels.status:
        this.#takeStatus(payload);
        return undefined;
      default:
        // A channel of a later protocol; the clients of Kubernetes ignore it too.
        return undefined;
    }
  }

  /**
   * Collects the status, which may arrive in pieces: current servers send it in one piece, but the protocol does not
   * guarantee that.
   */
  #takeStatus(payload: Uint8Array): void {
    this.#reported.add(payload);
    this.status ??= readStatus(this.#reported.text);
  }

  #describe({ why }: PumpEnd): string {
    const shown = JSON.stringify(this.#reported.text.slice(0, 200));
    return this.#reported.text === '' ? why : `${why}; the server sent an invalid status: ${shown}`;
  }
}
