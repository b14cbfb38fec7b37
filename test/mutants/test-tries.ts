/**
 * The runs of one test: without a mutant, then with each living mutant that it covers, and finally once more without.
 */
import type { Report } from './journal.ts';

export interface TestName {
  readonly id: string;
  readonly name: string;
  readonly file: string;
}

export interface TestRun {
  /** The first line of the error; null: the test passed. */
  readonly error: string | null;
  readonly ms: number;
  /** Mutants whose switches the first run evaluated. */
  readonly covers: readonly string[];
}

/** Limits that all tests of a process share. */
export interface Bounds {
  readonly killed: Set<string>;
  readonly slowMs: number;
}

export class TestTries {
  readonly #test: TestName;
  readonly #bounds: Bounds;
  /** Mutants that are still to be tried; null before the first run. */
  #left: string[] | null = null;
  readonly #killed: string[] = [];
  #isOver = false;

  constructor(test: TestName, bounds: Bounds) {
    this.#test = test;
    this.#bounds = bounds;
  }

  get isFirst(): boolean {
    return this.#left === null;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The mutant of the next run; undefined: a run without a mutant. */
  get mutant(): string | undefined {
    return this.#left?.[0];
  }

  ended(run: TestRun): Report | null {
    const { mutant } = this;
    if (mutant === undefined) return this.#endedAsItIs(run);
    this.#left?.shift();
    if (run.error === null) return null;
    this.#bounds.killed.add(mutant);
    this.#killed.push(mutant);
    return { killed: mutant, by: this.#test.name, error: run.error };
  }

  #endedAsItIs({ error, ms, covers }: TestRun): Report | null {
    const { id, name, file } = this.#test;
    const wasFirst = this.isFirst;
    this.#isOver = true;
    if (error !== null) return wasFirst ? { red: name, error } : this.#withdraw(error);
    if (wasFirst && ms > this.#bounds.slowMs) return { later: id, file, covers };
    this.#left = wasFirst ? covers.filter((mutant) => !this.#bounds.killed.has(mutant)) : [];
    if (this.#left.length === 0) return { done: id, covers };
    this.#isOver = false;
    return null;
  }

  /**
   * Withdraws the mutants that this test has killed. The last run failed. Either the first run used up something that
   * the test needs, or a mutant left something behind. So the failures of this test prove nothing.
   */
  #withdraw(error: string): Report {
    for (const mutant of this.#killed) this.#bounds.killed.delete(mutant);
    const { id, name } = this.#test;
    return { once: id, name, error, withdrawn: this.#killed };
  }
}
