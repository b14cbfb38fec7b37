/**
 * Delivers the output of a process to its listeners. A slow listener blocks the process: nothing more is read from the
 * process until every listener has accepted the last pieces. Also runs natively: uses nothing that QuickJS lacks.
 */
import type { Channel, HeldStreams } from '../platform/supervisor-host.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import type { ByteText, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';

export type OutputName = 'stdout' | 'stderr';

/** Receives a piece of output. Returns false if it can accept no more now; it calls `Outputs.unblock` when it can. */
export type Listener = (stream: OutputName, bytes: ByteText) => boolean;

/** Maximum wait for the streams of an exited process that another process holds open, milliseconds. */
const drainMaxMs = 1000;
const drainPollMs = 50;

export class Outputs {
  readonly #channels: Channel[] = [];
  readonly #blocked = new Set<Listener>();
  readonly #listeners = new Set<Listener>();
  /** Number of channels that have not ended. */
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

  /** Reads these channels. `onDrain` is called when a terminal can accept more input. */
  connect({ stdout, stderr }: Pick<HeldStreams, 'stdout' | 'stderr'>, onDrain: () => void): void {
    this.#connect('stdout', stdout, onDrain);
    if (stderr !== null) this.#connect('stderr', stderr, onDrain);
  }

  /**
   * Call after the process has exited. Resolves once all its output is delivered. With `waits` it waits for slow
   * listeners; otherwise it delivers the rest of the pipes without waiting for them.
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
