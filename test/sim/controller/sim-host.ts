import type { Clock, Timers } from '../../../src/platform/platform.ts';
import type { SimProcess, World } from '../world.ts';

/**
 * A process on its own machine. Its clocks have their own rate and their own time. It can be disconnected from the
 * server, and it can be suspended: then all callbacks to it wait.
 */
export class SimHost {
  readonly name: string;
  readonly process: SimProcess;
  readonly world: World;
  /** Milliseconds that its clocks advance in one simulated millisecond. */
  readonly rate: number;
  skewMs: number;
  #stoppedUntilMs = 0;
  #cutOffUntilMs = 0;
  #aloneUntilMs = 0;

  constructor(options: { name: string; world: World; rate: number; skewMs: number }) {
    this.name = options.name;
    this.world = options.world;
    this.rate = options.rate;
    this.skewMs = options.skewMs;
    this.process = options.world.spawn();
  }

  /** Simulated time at which its last suspension ends, in milliseconds; 0 if it was never suspended. */
  get stoppedUntilMs(): number {
    return this.#stoppedUntilMs;
  }

  /** True while the process is disconnected from the server. */
  get isCutOff(): boolean {
    return this.world.elapsedMs < this.#cutOffUntilMs;
  }

  /** True while the process can reach neither the server nor any container. */
  get isAlone(): boolean {
    return this.world.elapsedMs < this.#aloneUntilMs;
  }

  stopFor(ms: number): void {
    this.world.note(`${this.name} is stopped for ${ms} ms`);
    this.#stoppedUntilMs = Math.max(this.#stoppedUntilMs, this.world.elapsedMs + ms);
  }

  cutOffFor(ms: number): void {
    this.world.note(`${this.name} is cut off for ${ms} ms`);
    this.#cutOffUntilMs = Math.max(this.#cutOffUntilMs, this.world.elapsedMs + ms);
    this.#aloneUntilMs = Math.max(this.#aloneUntilMs, this.world.elapsedMs + ms);
  }

  /** Disconnects the process from the server only. Its commands in containers continue, and report to it. */
  cutOffFromServerFor(ms: number): void {
    this.world.note(`${this.name} is cut off from the server alone for ${ms} ms`);
    this.#cutOffUntilMs = Math.max(this.#cutOffUntilMs, this.world.elapsedMs + ms);
  }

  setClock(byMs: number): void {
    this.world.note(`the clock of ${this.name} is set by ${byMs} ms`);
    this.skewMs += byMs;
  }

  /** Calls the callback when the process is running: at once, or after its suspension. A dead process gets no call. */
  deliver(callback: () => void): void {
    if (!this.process.alive) return;
    const leftMs = this.#stoppedUntilMs - this.world.elapsedMs;
    if (leftMs <= 0) {
      callback();
      return;
    }
    this.world.after(leftMs, () => {
      this.deliver(callback);
    });
  }

  readonly clock: Clock = {
    nowMs: () => Math.floor(this.world.wallMs + this.skewMs),
    monotonicMs: () => this.world.elapsedMs * this.rate,
  };

  readonly timers: Timers = {
    after: (ms, callback) => {
      let calledOff = false;
      const callOff = this.world.after(ms / this.rate, () => {
        this.deliver(() => {
          if (!calledOff) callback();
        });
      });
      return () => {
        calledOff = true;
        callOff();
      };
    },
  };
}
