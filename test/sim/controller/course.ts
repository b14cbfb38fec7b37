/** Lets time pass in one simulation, and checks its end: the simulation converges, and no process writes after that. */
import type { World } from '../world.ts';

export interface CourseOptions {
  readonly world: World;
  /** The invariant to report as violated if the simulation does not converge. */
  readonly invariant: string;
  /** Maximum number of events in one call of `pass`. */
  readonly maxEvents: number;
  /** Time after the faults within which everything must converge, in milliseconds. */
  readonly livenessMs: number;
  /** Milliseconds between two checks. */
  readonly lookMs: number;
  /** Time for which nothing may be missing before the simulation counts as converged, in milliseconds. */
  readonly confirmMs: number;
  /** Duration of the final rest, in which no process may write, in milliseconds. */
  readonly restMs: number;
  /** Describes something that is still missing; null if nothing is. */
  readonly whatIsMissing: () => string | null;
  /** Number of writes so far, without writes of the Lease. */
  readonly writes: () => number;
}

export class Course {
  readonly #options: CourseOptions;

  constructor(options: CourseOptions) {
    this.#options = options;
  }

  async pass(ms: number): Promise<void> {
    const { world, maxEvents, invariant } = this.#options;
    let over = false;
    world.after(ms, () => (over = true));
    const inTime = await world.runUntil(() => over, maxEvents);
    if (!inTime) world.violate(invariant, `more than ${maxEvents} events in ${ms} ms`);
  }

  async settle(): Promise<void> {
    const { world, invariant, livenessMs, lookMs, confirmMs, whatIsMissing } = this.#options;
    let missing: string | null = 'nothing was looked at';
    const endMs = world.elapsedMs + livenessMs;
    while (missing !== null && world.elapsedMs < endMs && world.violation === null) {
      await this.pass(lookMs);
      missing = whatIsMissing();
      if (missing === null && confirmMs > 0) await this.pass(confirmMs);
      missing ??= whatIsMissing();
    }
    if (missing !== null) world.violate(invariant, `it never ends: ${missing}`);
  }

  async rest(): Promise<void> {
    const { world, invariant, restMs, whatIsMissing, writes } = this.#options;
    const before = writes();
    await this.pass(restMs);
    const missing = whatIsMissing();
    if (missing !== null) world.violate(invariant, `it was over, and now ${missing}`);
    const written = writes() - before;
    if (written > 0) world.violate(invariant, `${written} writes while there is nothing to do`);
  }
}
