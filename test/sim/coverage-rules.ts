/** Rules of a lifecycle for its table of faults and phases. */
export interface CoverageRules {
  /** Columns of the table. */
  readonly phases: readonly string[];
  /** Rows of the table: every kind of fault, and actions of users. */
  readonly faults: readonly string[];
  /**
   * Names of troubles and plans that code asks the register of faults for. They have no rows, because each of their
   * faults has a row of its own.
   */
  readonly plans: readonly string[];
  /** Pairs of fault and phase that are impossible, each with its reason. */
  readonly impossible: readonly Pairs[];
}

export interface Pairs {
  readonly faults: readonly string[];
  readonly phases: readonly string[];
  readonly why: string;
}
