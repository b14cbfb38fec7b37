import type { Clock, Timers } from '../../../src/platform/platform.ts';
import type { SimProcess, World } from '../world.ts';

/** At one moment: a reconcile reads its clock once or twice. */
const READINGS_MAX = 2_000;

/**
 * A process on a machine of its own: its clocks run at their own rate and show their own time, it can
 * be cut off from the server, and it can be stopped for a while (all that would call it back waits).
 */
export class SimHost {
  readonly name: string;
  readonly process: SimProcess;
  readonly world: World;
  /** Milliseconds of its clocks per real one. */
  readonly rate: number;
  skewMs: number;
  #stoppedUntilMs = 0;
  #cutOffUntilMs = 0;
  #aloneUntilMs = 0;
  /** How often the wall clock was read at one moment, and which. */
  #readings = 0;
  #readMs = 0;

  constructor(options: { name: string; world: World; rate: number; skewMs: number }) {
    this.name = options.name;
    this.world = options.world;
    this.rate = options.rate;
    this.skewMs = options.skewMs;
    this.process = options.world.spawn();
  }

  /** From the server. */
  get isCutOff(): boolean {
    return this.world.elapsedMs < this.#cutOffUntilMs;
  }

  /** It reaches no container either. */
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

  /** What it runs in containers goes on, and tells it so. */
  cutOffFromServerFor(ms: number): void {
    this.world.note(`${this.name} is cut off from the server alone for ${ms} ms`);
    this.#cutOffUntilMs = Math.max(this.#cutOffUntilMs, this.world.elapsedMs + ms);
  }

  setClock(byMs: number): void {
    this.world.note(`the clock of ${this.name} is set by ${byMs} ms`);
    this.skewMs += byMs;
  }

  /** CTRL-S7. Rejecting the reconcile is all that ends a loop of promises: no event of the world happens in it. */
  #countReading(): void {
    const { world } = this;
    this.#readings = this.#readMs === world.elapsedMs ? this.#readings + 1 : 0;
    this.#readMs = world.elapsedMs;
    if (this.#readings < READINGS_MAX) return;
    const what = `${this.name} reads its clock ${READINGS_MAX} times at one moment`;
    world.violate('CTRL-S7', `${what}: a wait ends at once, and begins again`);
    throw new Error(what);
  }

  /** Lets the process see something, when it runs. */
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
    nowMs: () => {
      this.#countReading();
      return Math.floor(this.world.wallMs + this.skewMs);
    },
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
