/**
 * The contract of one session on a supervisor's connection, and the transfer of the session's bytes. Also runs
 * natively: uses nothing that QuickJS lacks.
 */
import type { ByteText } from '../platform/platform.ts';
import type { Channel, HeldStreams } from '../platform/supervisor-host.ts';
import { bytesFrame, type Frame, type Word } from './frames.ts';
import type { Listener } from './outputs.ts';

/** Handles the frames of a connection that follow the frame with its purpose. */
export interface Session {
  onFrame(frame: Frame): void;
  onDrain(): void;
  onClose(): void;
}

export const quiet: Session = {
  onFrame: () => undefined,
  onDrain: () => undefined,
  onClose: () => undefined,
};

export type Say = (word: Word) => void;

export function listenerOf(connection: Channel): Listener {
  return (stream, bytes) => connection.write(bytesFrame(stream === 'stdout' ? 'o' : 'e', bytes));
}

export function pass(
  input: Input,
  say: Say,
  { frame, ends }: { readonly frame: Frame; readonly ends: boolean },
): void {
  if (frame.kind === 'c' && ends) input.finish();
  if (frame.kind !== 'i') return;
  input.write(frame.bytes, () => {
    say({ kind: 'taken' });
  });
}

/**
 * The input of one process, from one or several senders. Each sender gets a callback when its piece was written.
 * Also runs natively: uses nothing that QuickJS lacks.
 */
export class Input {
  readonly #streams: HeldStreams;
  readonly #waiting: (() => void)[] = [];

  constructor(streams: HeldStreams) {
    this.#streams = streams;
    const { stdin } = streams;
    const drained = (): void => {
      this.drained();
    };
    // The channel of a terminal is opened together with its output. `onEnd`: when the reader has exited, all writes
    // count as done.
    if (!this.#isTerminal) stdin?.open({ onData: drained, onEnd: drained, onDrain: drained });
  }

  /**
   * Writes a piece; `taken` is called when it was written. If there is no stdin, or it was closed, the piece is dropped
   * and `taken` is called at once.
   */
  write(bytes: ByteText, taken: () => void): void {
    const { stdin } = this.#streams;
    if (stdin === null || stdin.write(bytes)) taken();
    else this.#waiting.push(taken);
  }

  drained(): void {
    for (const taken of this.#waiting.splice(0)) taken();
  }

  /** Closes stdin. A terminal stays open: its end of file is a control character, not the end of a stream. */
  finish(): void {
    if (!this.#isTerminal) this.#streams.stdin?.finish();
  }

  get #isTerminal(): boolean {
    return this.#streams.stdin === this.#streams.stdout;
  }
}
