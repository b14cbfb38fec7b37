/**
 * Judges the times of reconciles by the clock of their process, unless the process was suspended:
 *
 *  CTRL-Q4 If a key has several delays, the earliest one counts.
 *  CTRL-R6 A reconcile ends soon after its timeout.
 */
import type { ControllerEvent } from '../../../src/controller/controller-event.ts';
import { DEFAULT_WORKERS } from '../../../src/controller/controller.ts';
import type { Clock } from '../../../src/platform/platform.ts';
import type { SimHost } from './sim-host.ts';

/** Timeout of a reconcile of the sample controller. A request without an answer takes longer. */
export const PASS_TIMEOUT_MS = 20_000;
/** Milliseconds; more than a process needs for everything except waiting. */
const LATE_MS = 1_000;
/** Milliseconds by which timers may be early through rounding, if the process's clock has another rate. */
const ROUNDED_MS = 0.001;

interface Moment {
  readonly dueMs: number;
  /** Simulated time at which the moment was set, in milliseconds. */
  readonly setMs: number;
}

/** Judges one process. */
export class TimeJudge {
  readonly #host: SimHost;
  readonly #clock: Clock;
  /** Earliest pending delay of each key. A delay is removed when its key is handed out after the delay is over. */
  readonly #delays = new Map<string, Moment>();
  /** Time at which the running reconcile of a key must end. */
  readonly #ends = new Map<string, Moment>();
  /** Last time at which a worker became free while all were busy, by the clock of the process. */
  #freeMs = 0;

  constructor(host: SimHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  /** Forgets the delays of the earlier term: a new term has a new queue. */
  beginTerm(): void {
    this.#delays.clear();
  }

  observe(event: ControllerEvent): void {
    if (event.type === 'PassStarted') this.#begin(event.key);
    if (event.type === 'PassEnded') this.#end(event.key, event.againInMs);
  }

  #begin(key: string): void {
    this.#ends.set(key, this.#momentIn(PASS_TIMEOUT_MS));
    const delay = this.#delays.get(key);
    if (delay === undefined || this.#clock.monotonicMs() < delay.dueMs - ROUNDED_MS) return;
    this.#delays.delete(key);
    const lateMs = this.#lateMs(delay, this.#freeMs);
    if (lateMs > LATE_MS) this.#violate('CTRL-Q4', `${key} begins ${lateMs} ms after its delay`);
  }

  #end(key: string, againInMs: number | null): void {
    const end = this.#ends.get(key);
    const lateMs = end === undefined ? 0 : this.#lateMs(end, 0);
    if (lateMs > LATE_MS) this.#violate('CTRL-R6', `${key} ends ${lateMs} ms after its timeout`);
    if (this.#ends.size >= DEFAULT_WORKERS) this.#freeMs = this.#clock.monotonicMs();
    this.#ends.delete(key);
    const before = this.#delays.get(key);
    const isOver = before !== undefined && before.dueMs - ROUNDED_MS < this.#clock.monotonicMs();
    // The key was added during its reconcile, so the queue hands it out again at once.
    if (isOver) this.#delays.delete(key);
    if (againInMs === null) return;
    const next = this.#momentIn(againInMs);
    if (isOver || before === undefined || next.dueMs < before.dueMs) this.#delays.set(key, next);
  }

  #momentIn(ms: number): Moment {
    return { dueMs: this.#clock.monotonicMs() + ms, setMs: this.#host.world.elapsedMs };
  }

  #lateMs({ dueMs, setMs }: Moment, notBeforeMs: number): number {
    if (this.#host.stoppedUntilMs > setMs) return 0;
    return this.#clock.monotonicMs() - Math.max(dueMs, notBeforeMs);
  }

  #violate(invariant: string, what: string): void {
    this.#host.world.violate(invariant, `${this.#host.name}: ${what}`);
  }
}
