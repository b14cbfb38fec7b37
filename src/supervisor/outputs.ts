/**
 * What a process writes, on its way to those who listen. A listener that is behind stops the process:
 * nothing is read from it until all have taken what they were given.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { Channel, HeldStreams } from '../platform/supervisor-host.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import type { ByteText, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';

export type OutputName = 'stdout' | 'stderr';

/** False: it has enough for now, and says so with `Outputs.unblock` when it wants more. */
export type Listener = (stream: OutputName, bytes: ByteText) => boolean;

/** How long a process that has ended keeps its streams open, where another one holds them. */
const drainMaxMs = 1000;
const drainPollMs = 50;

export class Outputs {
  readonly #channels: Channel[] = [];
  readonly #blocked = new Set<Listener>();
  readonly #listeners = new Set<Listener>();
  /** How many are not at their end. */
  #open = 0;
  #draining = false;
  #callWhenEnded: () => void = () => undefined;

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    this.unblock(listener);
  }

  unblock(listener: Listener): void {
    this.#blocked.delete(listener);
    if (this.#blocked.size === 0) for (const channel of this.#channels) channel.resume();
  }

  /** `onDrain`: a terminal has taken its input. */
  connect({ stdout, stderr }: Pick<HeldStreams, 'stdout' | 'stderr'>, onDrain: () => void): void {
    this.#connect('stdout', stdout, onDrain);
    if (stderr !== null) this.#connect('stderr', stderr, onDrain);
  }

  /**
   * After the end of the process: resolves when everything it wrote is delivered. `waits`: listeners
   * get the time they want; otherwise they may fall behind by what the pipes held.
   */
  async drained(timers: Timers, waits: boolean): Promise<void> {
    this.#draining = !waits;
    if (this.#draining) for (const channel of this.#channels) channel.resume();
    const ended = new LinkedSignal();
    this.#callWhenEnded = () => {
      ended.abort();
    };
    for (let waitedMs = 0; this.#open > 0 && waitedMs < drainMaxMs;) {
      await sleep(timers, drainPollMs, ended);
      if (this.#blocked.size === 0 || this.#draining) waitedMs += drainPollMs;
    }
    for (const channel of this.#channels) channel.close();
  }

  #connect(stream: OutputName, channel: Channel, onDrain: () => void): void {
    this.#channels.push(channel);
    this.#open += 1;
    channel.open({
      onData: (bytes) => {
        this.#deliver(stream, bytes);
      },
      onEnd: () => {
        this.#open -= 1;
        if (this.#open === 0) this.#callWhenEnded();
      },
      onDrain,
    });
  }

  #deliver(stream: OutputName, bytes: ByteText): void {
    for (const listener of this.#listeners) {
      if (!listener(stream, bytes)) this.#blocked.add(listener);
    }
    if (this.#blocked.size === 0 || this.#draining) return;
    for (const channel of this.#channels) channel.pause();
  }
}
