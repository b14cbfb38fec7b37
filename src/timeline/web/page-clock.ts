/**
 * The server's clock as the page knows it. It stops at the last moment whose state the page knows: the page cannot know
 * a duration beyond that moment.
 */
import type { PageWorld } from './world.ts';

export interface Moment {
  /** The server's clock, milliseconds since 1970. While it is stopped, this is the time of the last known state. */
  readonly nowMs: number;
  /** Whether the state after `nowMs` is unknown: the connection is lost, or this is a report. */
  readonly isStopped: boolean;
}

export class PageClock {
  readonly #world: Pick<PageWorld, 'monotonicMs'>;
  /** The server's clock, and the page's clock at the same moment. */
  #synced = { serverMs: 0, hereMs: 0 };
  #stoppedMs: number | null = null;

  constructor(world: Pick<PageWorld, 'monotonicMs'>) {
    this.#world = world;
  }

  moment(): Moment {
    const nowMs = this.#stoppedMs ?? this.#at(this.#world.monotonicMs());
    return { nowMs, isStopped: this.#stoppedMs !== null };
  }

  /**
   * Sets the clock. Call it when the server has just sent its time. If the clock is stopped, it stays stopped, but at
   * this time.
   */
  sync(serverMs: number): void {
    this.#synced = { serverMs, hereMs: this.#world.monotonicMs() };
    if (this.#stoppedMs !== null) this.#stoppedMs = serverMs;
  }

  /**
   * Stops the clock. `hereMs` is the time of the last known state on the monotonic clock. Only the first of several
   * stops counts.
   */
  stop(hereMs: number): void {
    this.#stoppedMs ??= this.#at(hereMs);
  }

  start(): void {
    this.#stoppedMs = null;
  }

  #at(hereMs: number): number {
    return this.#synced.serverMs + hereMs - this.#synced.hereMs;
  }
}
