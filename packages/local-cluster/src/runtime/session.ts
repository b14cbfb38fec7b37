/**
 * A session with a command in a container, or with the container's own streams, through the container's supervisor.
 * Unread output blocks the program: while a queue is full, nothing is read from the connection.
 */
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import { StartError, type ExecSession } from '../../../../src/platform/container-runtime.ts';
import {
  bytesFrame,
  frameReader,
  purposeFrame,
  sizeFrame,
  type Frame,
  type Purpose,
  type Word,
} from '../../../../src/supervisor/frames.ts';

/** Maximum number of bytes of input in one frame. */
const pieceBytes = 64 * 1024;

type SessionExit = Awaited<ExecSession['exited']>;

export interface Opened {
  readonly connection: SupervisorConnection;
  readonly purpose: Purpose;
  /** Called after the session has ended; may reject. */
  readonly settle?: () => Promise<void>;
}

export interface SessionOpening {
  /** Opens the connection. Rejects with `StartError`. */
  readonly open: () => Promise<Opened>;
  readonly signal?: CancelSignal;
}

export function openSession({ open, signal }: SessionOpening): ExecSession {
  return new Session(open(), signal);
}

class Session implements ExecSession {
  readonly stdout: ByteQueue = new ByteQueue();
  readonly stderr: ByteQueue = new ByteQueue();
  readonly exited: Promise<SessionExit>;
  readonly #opened: Promise<SupervisorConnection>;
  /** Resolves after all writes so far. Each new write waits for it. */
  #written: Promise<void> = Promise.resolve();
  #taken: () => void = () => undefined;
  #closed = false;

  constructor(opening: ReturnType<SessionOpening['open']>, signal: CancelSignal | undefined) {
    this.#opened = opening.then(({ connection, purpose }) => {
      connection.write(purposeFrame(purpose));
      if (this.#closed) connection.close();
      return connection;
    });
    const close = (): void => {
      this.close();
    };
    signal?.addEventListener('abort', close);
    this.exited = this.#runAndSettle(opening).finally(() => {
      signal?.removeEventListener('abort', close);
      this.close();
    });
    // Callers may ignore `exited`, so its rejection must not count as unhandled.
    this.exited.catch(() => undefined);
    if (signal?.aborted === true) this.close();
  }

  write(bytes: Uint8Array): Promise<void> {
    const all = this.#written.then(() => this.#writePieces(bytes));
    this.#written = all.catch(() => undefined);
    return all;
  }

  endStdin(): void {
    const end = async (): Promise<void> => {
      await this.#written;
      this.#send(bytesFrame('c', ''));
    };
    void end();
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#send(sizeFrame(size));
  }

  close(): void {
    this.#closed = true;
    this.#taken();
    this.stdout.end();
    this.stderr.end();
    void this.#with((connection) => {
      connection.close();
    });
  }

  #send(frame: string): void {
    void this.#with((connection) => {
      connection.write(frame);
    });
  }

  /** Uses the connection. Without one it does nothing: `exited` has the error. */
  async #with(work: (connection: SupervisorConnection) => void): Promise<void> {
    try {
      work(await this.#opened);
    } catch {
      // `exited` rejects with the error.
    }
  }

  async #writePieces(bytes: Uint8Array): Promise<void> {
    const connection = await this.#opened;
    for (let at = 0; at < bytes.length && !this.#closed; at += pieceBytes) {
      const taken = new Promise<void>((resolve) => {
        this.#taken = resolve;
      });
      const piece = Buffer.from(bytes.subarray(at, at + pieceBytes)).toString('latin1');
      connection.write(bytesFrame('i', piece));
      await taken;
    }
  }

  async #runAndSettle(opening: Promise<Opened>): Promise<SessionExit> {
    const { settle } = await opening;
    try {
      return await this.#run();
    } finally {
      await settle?.();
    }
  }

  async #run(): Promise<SessionExit> {
    const connection = await this.#opened;
    const frames: Frame[] = [];
    const read = frameReader((frame) => {
      frames.push(frame);
    });
    for await (const bytes of connection.incoming) {
      read(bytes);
      for (const frame of frames.splice(0)) {
        const exit = await this.#take(frame);
        if (exit !== null) return exit;
      }
    }
    // We have closed the connection, or the supervisor was killed.
    return { exitCode: null, signal: null };
  }

  async #take(frame: Frame): Promise<SessionExit | null> {
    if (frame.kind === 'w') return this.#hear(frame.word);
    if (frame.kind === 'o') await this.stdout.push(Buffer.from(frame.bytes, 'latin1'));
    if (frame.kind === 'e') await this.stderr.push(Buffer.from(frame.bytes, 'latin1'));
    return null;
  }

  #hear(word: Word): SessionExit | null {
    switch (word.kind) {
      case 'taken':
        this.#taken();
        return null;
      case 'exited':
        return { exitCode: word.exit.code, signal: word.exit.signal };
      case 'ended':
        return { exitCode: word.end.exitCode, signal: word.end.signal };
      case 'failed':
        throw new StartError('StartError', word.message, exitCodeOf(word.code));
      case 'started':
      case 'done':
        return null;
      default:
        return word satisfies never;
    }
  }
}

/** Exit code of a failed start, as in shells: 127 for not found, 126 for not executable. */
export function exitCodeOf(code: string): number {
  return code === 'ENOENT' ? notFound : cannotRun;
}

const notFound = 127;
const cannotRun = 126;

/** Bytes in a queue above which the writer waits. */
const QUEUE_MAX_BYTES = 256 * 1024;

export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #wakeReader: () => void = () => undefined;
  #wakeWriter: () => void = () => undefined;

  /** Resolves once there is space for more. After `end`, bytes are dropped. */
  async push(piece: Uint8Array): Promise<void> {
    if (this.#ended) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#wakeReader();
    while (this.#isFull()) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  #isFull(): boolean {
    return this.#bytes > QUEUE_MAX_BYTES && !this.#ended;
  }

  /** Ends the queue. Bytes that are in it can still be read. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
    this.#wakeWriter();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        this.#bytes -= piece.length;
        this.#wakeWriter();
        yield piece;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
