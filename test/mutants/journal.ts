/** What the process of the tests reports while it tries mutants, and how the process that started it adds that up. */

/** One line of JSON, written before the process continues, since a mutant may hang it or exit. */
export type Report =
  /** The first line of a process. */
  | { readonly pid: number }
  /** A test is about to run with the mutant switched on. */
  | { readonly trying: string }
  | { readonly killed: string; readonly by: string; readonly error: string }
  /** The test ran with every mutant that it covers and that was alive. */
  | { readonly done: string; readonly covers: readonly string[] }
  /** The test passed once and failed later without a mutant: what it has killed is alive. */
  | ({ readonly once: string; readonly withdrawn: readonly string[] } & OnceTest)
  /** The test takes longer than this pass allows. */
  | ({ readonly later: string } & LaterTest)
  /** The test failed although no mutant was switched on. */
  | { readonly red: string; readonly error: string }
  /** The tests of one more file have run; mutants whose switches were passed outside of tests, while modules loaded. */
  | { readonly loading: readonly string[] };

export interface OnceTest {
  readonly name: string;
  readonly error: string;
}

export interface LaterTest {
  readonly file: string;
  readonly covers: readonly string[];
}

/** What the process of the tests is given. */
export interface TriesOrder {
  readonly journal: string;
  /** Mutants that need no further try. */
  readonly killed: readonly string[];
  /** Ids of tests that are not run. */
  readonly done: readonly string[];
  /** Ids of the tests that are run; null: all. */
  readonly only: readonly string[] | null;
  /** A test that takes longer is left to a later pass. */
  readonly slowMs: number;
}

export class Progress {
  /** What killed each mutant. */
  readonly killed: Map<string, string> = new Map();
  readonly covered: Set<string> = new Set();
  readonly loading: Set<string> = new Set();
  readonly done: Set<string> = new Set();
  readonly later: Map<string, LaterTest> = new Map();
  /** Tests that judge nothing. */
  readonly once: OnceTest[] = [];
  readonly red: string[] = [];
  /** Mutants that a process was trying when it ended. */
  readonly #ended: Set<string> = new Set();

  /**
   * False: the process hung or ended while it tried a mutant, so the pass has to continue in another one. The mutant is killed
   * where that happens twice: once may be for want of memory. Throws where the process ended without one.
   */
  add(reports: readonly Report[], files: number): boolean {
    for (const report of reports) this.#add(report);
    const last = reports.at(-1);
    if (last !== undefined && 'trying' in last) {
      for (const id of unconfirmed(reports)) this.killed.delete(id);
      if (this.#ended.has(last.trying)) {
        this.killed.set(last.trying, 'The process hung or ended, twice');
      }
      this.#ended.add(last.trying);
      return false;
    }
    const ran = reports.filter((report) => 'loading' in report).length;
    if (ran === files && files > 0) return true;
    throw new Error(`The process of the tests ended after ${ran} of ${files} files of tests`);
  }

  /** The tests that were left to the next pass and cover a mutant that is alive; they are no longer left. */
  takeLater(): Map<string, LaterTest> {
    const taken = [...this.later].filter(([, { covers }]) =>
      covers.some((id) => !this.killed.has(id)),
    );
    this.later.clear();
    return new Map(taken);
  }

  #add(report: Report): void {
    if ('killed' in report) this.killed.set(report.killed, `${report.by}: ${report.error}`);
    if ('covers' in report) for (const id of report.covers) this.covered.add(id);
    if ('loading' in report) for (const id of report.loading) this.loading.add(id);
    if ('once' in report) this.#withdraw(report);
    if ('done' in report) this.done.add(report.done);
    if ('later' in report) this.later.set(report.later, report);
    if ('red' in report) this.red.push(`${report.red}: ${report.error}`);
  }

  #withdraw(report: Extract<Report, { readonly once: string }>): void {
    for (const id of report.withdrawn) this.killed.delete(id);
    this.done.add(report.once);
    this.once.push(report);
  }
}

/** Killed by the test that a process ended in: it did not run again as it is, which alone proves its failures. */
function unconfirmed(reports: readonly Report[]): string[] {
  const confirmed = reports.findLastIndex((report) => 'done' in report || 'once' in report);
  return reports
    .slice(confirmed + 1)
    .flatMap((report) => ('killed' in report ? report.killed : []));
}
