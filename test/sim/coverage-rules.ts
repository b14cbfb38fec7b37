/** What a lifecycle says of its table of faults against phases. */
export interface CoverageRules {
  /** Columns. */
  readonly phases: readonly string[];
  /** Rows: every kind of fault, and what users do. */
  readonly faults: readonly string[];
  /** Asked for by the name of a trouble or of a plan; what becomes of them is a row. */
  readonly plans: readonly string[];
  /** Pairs that cannot be met, each with its reason. */
  readonly impossible: readonly Pairs[];
}

export interface Pairs {
  readonly faults: readonly string[];
  readonly phases: readonly string[];
  readonly why: string;
}
