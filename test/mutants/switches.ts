/**
 * The switches of the mutants, which the instrumented code reads and counts.
 *
 * As in StrykerJS, a loop counts as endless if it evaluates the mutant's switch many times more often than the test
 * does without the mutant. Switches of other mutants count too, because the mutant may be before the endless loop.
 */

/** How often each mutant's switch was evaluated. */
type Hits = Record<string, number>;

const FACTOR = 100;
const HITS_MIN = 100;
const PASSES_MIN = 100_000;

export class Switches {
  /** The counters of the instrumented code. */
  readonly mutantCoverage: { readonly static: Hits; readonly perTest: Record<string, Hits> } = {
    static: {},
    perTest: {},
  };
  currentTestId: string | undefined;
  hitCount: number | undefined;
  hitLimit: number | undefined;
  #on: string | undefined;
  /** Evaluations of all switches since the current run began. */
  #passes = 0;
  #passesMax = Infinity;

  /** The instrumented code reads this at every switch. */
  get activeMutant(): string | undefined {
    this.#passes += 1;
    if (this.#passes > this.#passesMax) throw new Error(`more than ${this.#passesMax} switches`);
    return this.#on;
  }

  /** Starts a run without a mutant; `covering` is the key of the run's coverage. */
  begin(covering: string): void {
    this.currentTestId = covering;
    this.#passes = 0;
  }

  /** `passes` is how many switches the test evaluates without the mutant. */
  turnOn(mutant: string, test: { readonly id: string; readonly passes: number }): void {
    this.hitCount = 0;
    this.hitLimit = HITS_MIN + FACTOR * (this.hitsOf(test.id)[mutant] ?? 0);
    this.#passesMax = PASSES_MIN + FACTOR * test.passes;
    this.#on = mutant;
  }

  /** `wasEndless` is true even if the code caught the errors that its switches threw. */
  turnOff(): { readonly wasEndless: boolean; readonly passes: number } {
    const { hitCount = 0, hitLimit = Infinity } = this;
    const wasEndless = hitCount > hitLimit || this.#passes > this.#passesMax;
    this.#on = this.hitCount = undefined;
    this.#passesMax = Infinity;
    return { wasEndless, passes: this.#passes };
  }

  hitsOf(testId: string): Hits {
    return this.mutantCoverage.perTest[testId] ?? {};
  }
}
