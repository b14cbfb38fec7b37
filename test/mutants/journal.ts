/** The reports of a test process while it tries mutants, and their summary in the parent process. */

/** One line of JSON. It is written before the process continues, because a mutant may make the process hang or exit. */
export type Report =
  /** The first line of each process. */
  | { readonly pid: number }
  /** A test is about to run with this mutant switched on. */
  | { readonly trying: string }
  | { readonly killed: string; readonly by: string; readonly error: string }
  /** The test has run with every living mutant that it covers. */
  | { readonly done: string; readonly covers: readonly string[] }
  /** The test passed once and later failed without a mutant, so its kills do not count. */
  | ({ readonly once: string; readonly withdrawn: readonly string[] } & OnceTest)
  /** The test takes longer than this pass allows. */
  | ({ readonly later: string } & LaterTest)
  /** The test failed although no mutant was on. */
  | { readonly red: string; readonly error: string }
  /**
   * The tests of one more file have run. `loading` has the mutants whose switches were evaluated while modules loaded,
   * outside of tests.
   */
  | { readonly loading: readonly string[] };

export interface OnceTest {
  readonly name: string;
  readonly error: string;
}

export interface LaterTest {
  readonly file: string;
  readonly covers: readonly string[];
}

/** The input of a test process. */
export interface TriesOrder {
  readonly journal: string;
  /** Mutants that are killed already and need no further try. */
  readonly killed: readonly string[];
  /** Ids of tests to skip. */
  readonly done: readonly string[];
  /** Ids of the tests to run; null: all tests. */
  readonly only: readonly string[] | null;
  /** Milliseconds. A test that takes longer is left to a later pass. */
  readonly slowMs: number;
}

export class Progress {
  /** The test that killed each mutant, by mutant. */
  readonly killed: Map<string, string> = new Map();
  readonly covered: Set<string> = new Set();
  readonly loading: Set<string> = new Set();
  readonly done: Set<string> = new Set();
  readonly later: Map<string, LaterTest> = new Map();
  /** Tests that passed only once, so their results prove nothing. */
  readonly once: OnceTest[] = [];
  readonly red: string[] = [];
  /** Mutants that a process was trying when it exited or hung. */
  readonly #ended: Set<string> = new Set();

  /**
   * Adds the reports of a process. False: it hung or exited while it tried a mutant, so the pass must continue in
   * another process. The second time the mutant counts as killed; the first time may be due to a lack of memory. Throws
   * if the process exited while no mutant was on.
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

  /** Tests for the next pass that cover a living mutant. Removes them from the list. */
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

/**
 * Kills by the test during which the process exited. Only another run without a mutant would have proved its failures.
 */
function unconfirmed(reports: readonly Report[]): string[] {
  const confirmed = reports.findLastIndex((report) => 'done' in report || 'once' in report);
  return reports
    .slice(confirmed + 1)
    .flatMap((report) => ('killed' in report ? report.killed : []));
}
