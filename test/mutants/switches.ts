/**
 * The switches of the mutants, which the instrumenter's code reads and counts. A loop is endless, as for StrykerJS, that passes
 * the switch of the mutant many times as often as the test without the mutant. The mutant may lie before its loop: so
 * is a loop that passes switches of other mutants so often.
 */

/** How often the switch of each mutant was passed. */
type Hits = Record<string, number>;

const FACTOR = 100;
const HITS_MIN = 100;
const PASSES_MIN = 100_000;

export class Switches {
  /** What the instrumenter's code counts in. */
  readonly mutantCoverage: { readonly static: Hits; readonly perTest: Record<string, Hits> } = {
    static: {},
    perTest: {},
  };
  currentTestId: string | undefined;
  hitCount: number | undefined;
  hitLimit: number | undefined;
  #on: string | undefined;
  /** Of all switches, since the run of a test began. */
  #passes = 0;
  #passesMax = Infinity;

  /** The instrumenter's code asks it at every switch. */
  get activeMutant(): string | undefined {
    this.#passes += 1;
    if (this.#passes > this.#passesMax) throw new Error(`more than ${this.#passesMax} switches`);
    return this.#on;
  }

  /** The test runs as it is; `covering` names what its coverage counts for. */
  begin(covering: string): void {
    this.currentTestId = covering;
    this.#passes = 0;
  }

  /** `passes`: how many switches the test passes without the mutant. */
  turnOn(mutant: string, test: { readonly id: string; readonly passes: number }): void {
    this.hitCount = 0;
    this.hitLimit = HITS_MIN + FACTOR * (this.hitsOf(test.id)[mutant] ?? 0);
    this.#passesMax = PASSES_MIN + FACTOR * test.passes;
    this.#on = mutant;
  }

  /** Also where the code caught the errors of its switches. */
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
