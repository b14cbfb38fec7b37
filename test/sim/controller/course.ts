/** The passage of time in one simulation, and its end condition: it converges, and no process writes after that. */
import type { World } from '../world.ts';

export interface CourseOptions {
  readonly world: World;
  /** The invariant that is broken if it does not converge. */
  readonly invariant: string;
  /** Maximum number of events in one step of time. */
  readonly maxEvents: number;
  /** Time to do whatever is pending when the faults end, milliseconds. */
  readonly livenessMs: number;
  /** Milliseconds between two checks. */
  readonly lookMs: number;
  /** Milliseconds without anything missing before the simulation counts as converged. */
  readonly confirmMs: number;
  /** Length of the final time without a write, milliseconds. */
  readonly restMs: number;
  /** null: everything is over. */
  readonly whatIsMissing: () => string | null;
  /** Writes so far, without those of the Lease. */
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
