/**
 * What is sent to a process, from one or several senders: each is told when its piece was taken.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { HeldStreams } from '../platform/supervisor-host.ts';
import type { ByteText } from '../platform/platform.ts';

export class Input {
  readonly #streams: HeldStreams;
  readonly #waiting: (() => void)[] = [];

  constructor(streams: HeldStreams) {
    this.#streams = streams;
    const { stdin } = streams;
    const drained = (): void => {
      this.drained();
    };
    // A terminal's channel is opened with its output. A reader that is gone takes everything.
    if (!this.#isTerminal) stdin?.open({ onData: drained, onEnd: drained, onDrain: drained });
  }

  /** Without stdin, or after its end, it is taken by nobody: at once. */
  write(bytes: ByteText, taken: () => void): void {
    const { stdin } = this.#streams;
    if (stdin === null || stdin.write(bytes)) taken();
    else this.#waiting.push(taken);
  }

  drained(): void {
    for (const taken of this.#waiting.splice(0)) taken();
  }

  /** The end of a terminal is a key that somebody presses, not the end of a stream. */
  finish(): void {
    if (!this.#isTerminal) this.#streams.stdin?.finish();
  }

  get #isTerminal(): boolean {
    return this.#streams.stdin === this.#streams.stdout;
  }
}
