/**
 * The clocks and timers of a process whose machine can be suspended. As on Linux, the monotonic clock and the timers
 * stop during the suspension, but the wall clock continues.
 */
import type { Clock, Timers } from '../../../src/platform/platform.ts';
import type { SimHost } from './sim-host.ts';

/** Milliseconds by which a timer may be early because of rounding. */
const ROUNDING_MS = 1e-6;

export class SleepingMachine {
  readonly #host: SimHost;
  #sleptMs = 0;

  constructor(host: SimHost) {
    this.#host = host;
  }

  /** Suspends the machine. Nothing reaches the process until it wakes. */
  sleepFor(ms: number): void {
    const { name, world } = this.#host;
    world.note(`the machine of ${name} sleeps`);
    // This callback runs before the process resumes, so the resumed code sees the clock after the suspension.
    world.after(ms, () => {
      this.#sleptMs += ms;
    });
    this.#host.stopFor(ms);
  }

  readonly clock: Clock = {
    nowMs: () => this.#host.clock.nowMs(),
    monotonicMs: () => this.#host.clock.monotonicMs() - this.#sleptMs * this.#host.rate,
  };

  readonly timers: Timers = {
    after: (ms, callback) => {
      const dueMs = this.clock.monotonicMs() + ms;
      let callOff = (): void => {};
      const wait = (leftMs: number): void => {
        callOff = this.#host.timers.after(leftMs, () => {
          const restMs = dueMs - this.clock.monotonicMs();
          if (restMs > ROUNDING_MS) wait(restMs);
          else callback();
        });
      };
      wait(ms);
      return () => {
        callOff();
      };
    },
  };
}
