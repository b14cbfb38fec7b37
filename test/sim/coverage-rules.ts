/** Rules of a lifecycle for its table of faults and phases. */
export interface CoverageRules {
  /** Columns. */
  readonly phases: readonly string[];
  /** Rows: every kind of fault, and actions of users. */
  readonly faults: readonly string[];
  /** Rows that are asked for by the name of a trouble or of a plan, and counted by their result. */
  readonly plans: readonly string[];
  /** Pairs that are impossible, each with its reason. */
  readonly impossible: readonly Pairs[];
}

export interface Pairs {
  readonly faults: readonly string[];
  readonly phases: readonly string[];
  readonly why: string;
}
