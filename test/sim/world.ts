import type { Clock, Timers } from '../../src/platform/platform.ts';
import { Faults } from './faults.ts';
import { hashText } from './random.ts';

/** A violation that a judge found: the invariant's code, and what the judge observed. */
export interface Violation {
  readonly invariant: string;
  readonly message: string;
}

/** A process of the simulated machine. After its death, no callback reaches it. */
export interface SimProcess {
  readonly pid: number;
  alive: boolean;
}

interface Planned {
  readonly atMs: number;
  readonly callback: () => void;
}

/**
 * Maximum number of events at one moment, and of clock reads between two events. Seeds have about a hundred of each.
 * Code that waits for 0 ms again and again would never let time advance.
 */
const MAX_AT_ONE_MOMENT = 20_000;

/**
 * The time of a simulated machine: events in order, and a wall clock that drifts and is set. Between two events,
 * production code runs until it waits. It takes no simulated time.
 */
export class World {
  readonly #trace: ((line: string) => void) | undefined;
  /**
   * Planned events, the next one at the end. Of two events at the same time, the one that was planned first is next.
   */
  readonly #planned: Planned[] = [];
  #sinceStartMs = 0;
  #eventsNow = 0;
  #looks = 0;
  #wallOffsetMs = START_WALL_MS;
  #pids = 0;
  #traceHash = hashText('');
  /** Milliseconds that the wall clock advances in one simulated millisecond. */
  rate: number = 1;
  violation: Violation | null = null;
  latestWallMs: number = START_WALL_MS;
  clockSettings: number = 0;
  readonly faults: Faults;

  constructor(trace?: (line: string) => void, faults: Faults = new Faults()) {
    this.#trace = trace;
    this.faults = faults;
    faults.nowMs = () => this.#sinceStartMs;
  }

  get elapsedMs(): number {
    this.#countLook();
    return this.#sinceStartMs;
  }

  get wallMs(): number {
    this.#countLook();
    return Math.floor(this.#wallOffsetMs + this.#sinceStartMs * this.rate);
  }

  get traceHash(): number {
    return this.#traceHash;
  }

  /**
   * Adds a line to the trace and to its hash. A costly line is a function, which is called only if the trace is read.
   * For such a line, only the time is in the hash.
   */
  note(line: string | (() => string)): void {
    const isText = typeof line === 'string';
    this.#traceHash = hashText(isText ? line : String(this.#sinceStartMs), this.#traceHash);
    if (this.#trace !== undefined) this.#print(isText ? line : line());
  }

  /** Adds a line to the trace, but not to its hash. It is called only if the trace is read; '' adds nothing. */
  report(line: () => string): void {
    if (this.#trace === undefined) return;
    const text = line();
    if (text !== '') this.#print(text);
  }

  #print(line: string): void {
    this.#trace?.(`${String(Math.round(this.#sinceStartMs)).padStart(9)} ms  ${line}`);
  }

  /** Records a violation. Only the first one is kept, because later ones may be its consequences. */
  violate(invariant: string, message: string): void {
    this.violation ??= { invariant, message };
    this.note(`VIOLATION of ${invariant}: ${message}`);
  }

  setClock(byMs: number): void {
    this.note(`clock set by ${byMs} ms`);
    this.#wallOffsetMs += byMs;
    this.clockSettings += 1;
    this.latestWallMs = Math.max(this.latestWallMs, this.wallMs);
  }

  after(ms: number, callback: () => void): () => void {
    const planned = { atMs: this.#sinceStartMs + Math.max(0, ms), callback };
    this.#put(planned);
    return () => {
      const at = this.#planned.indexOf(planned);
      if (at !== -1) this.#planned.splice(at, 1);
    };
  }

  spawn(): SimProcess {
    this.#pids += 1;
    return { pid: this.#pids, alive: true };
  }

  clockOf(): Clock {
    return { nowMs: () => this.wallMs, monotonicMs: () => this.elapsedMs };
  }

  timersOf(process: SimProcess): Timers {
    return {
      after: (ms, callback) =>
        this.after(ms, () => {
          if (process.alive) callback();
        }),
    };
  }

  /**
   * Runs events until `done` returns true or there is a violation. Returns false if `maxEvents` were not enough, or no
   * event is left.
   */
  async runUntil(done: () => boolean, maxEvents: number): Promise<boolean> {
    await quiet();
    this.#looks = 0;
    for (let events = 0; events < maxEvents; events += 1) {
      if (done() || this.violation !== null) return true;
      const next = this.#planned.pop();
      if (next === undefined) return false;
      this.#enter(next.atMs);
      this.latestWallMs = Math.max(this.latestWallMs, this.wallMs);
      next.callback();
      await quiet();
      this.#looks = 0;
    }
    return done();
  }

  #enter(atMs: number): void {
    this.#eventsNow = atMs === this.#sinceStartMs ? this.#eventsNow + 1 : 1;
    this.#sinceStartMs = atMs;
    if (this.#eventsNow > MAX_AT_ONE_MOMENT) this.#violateStuck('events');
  }

  /** Throws an error into code that reads the clock endlessly, to stop its loop. */
  #countLook(): void {
    this.#looks += 1;
    if (this.#looks <= MAX_AT_ONE_MOMENT) return;
    this.#violateStuck('looks at the clock');
    throw new StuckError('Code waits at one moment without an end.');
  }

  #violateStuck(what: string): void {
    const at = `${Math.round(this.#sinceStartMs)} ms after the start`;
    const why = 'Code waits for no time, again and again: the last lines of the trace show where';
    this.violate(STUCK, `more than ${MAX_AT_ONE_MOMENT} ${what} at one moment, ${at}. ${why}`);
  }

  #put(planned: Planned): void {
    let [low, high] = [0, this.#planned.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#planned[middle]?.atMs ?? 0) > planned.atMs) low = middle + 1;
      else high = middle;
    }
    this.#planned.splice(low, 0, planned);
  }
}

/** Stops an endless loop of the code under test. Possibly no caller of that code receives the error. */
export class StuckError extends Error {}

/** Handler for 'unhandledRejection'. It ignores a StuckError, whose violation is already recorded. */
export function ignoreStuck(reason: unknown): void {
  if (!(reason instanceof StuckError)) throw reason;
}

/** Code of a violation that is no requirement: the simulation itself cannot continue. */
const STUCK = 'run';

/** The wall clock at the start: 2026-01-01T00:00:00Z. */
const START_WALL_MS = 1_767_225_600_000;

/**
 * Resolves when all promises that can settle have settled. It relies on Node.js, which runs a tick requested by a
 * promise after all of them. Nothing in a simulation waits for real time.
 */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
