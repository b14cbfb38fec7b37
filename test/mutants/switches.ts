/**
 * The switches of the mutants, which the instrumenter's code reads and counts. As in StrykerJS, a loop counts as
 * endless if it passes the switch of the mutant many times more often than the test without the mutant does. The same
 * holds for switches of other mutants, since the mutant may be before its loop.
 */

/** Number of passes of each mutant's switch. */
type Hits = Record<string, number>;

const FACTOR = 100;
const HITS_MIN = 100;
const PASSES_MIN = 100_000;

export class Switches {
  /** Counters of the instrumented code. */
  readonly mutantCoverage: { readonly static: Hits; readonly perTest: Record<string, Hits> } = {
    static: {},
    perTest: {},
  };
  currentTestId: string | undefined;
  hitCount: number | undefined;
  hitLimit: number | undefined;
  #on: string | undefined;
  /** Passes of all switches since the run of a test began. */
  #passes = 0;
  #passesMax = Infinity;

  /** The instrumented code reads it at every switch. */
  get activeMutant(): string | undefined {
    this.#passes += 1;
    if (this.#passes > this.#passesMax) throw new Error(`more than ${this.#passesMax} switches`);
    return this.#on;
  }

  /** Starts a run without a mutant; `covering` is the key of its coverage. */
  begin(covering: string): void {
    this.currentTestId = covering;
    this.#passes = 0;
  }

  /** `passes`: number of switches that the test passes without the mutant. */
  turnOn(mutant: string, test: { readonly id: string; readonly passes: number }): void {
    this.hitCount = 0;
    this.hitLimit = HITS_MIN + FACTOR * (this.hitsOf(test.id)[mutant] ?? 0);
    this.#passesMax = PASSES_MIN + FACTOR * test.passes;
    this.#on = mutant;
  }

  /** True also if the code caught the errors of its switches. */
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
