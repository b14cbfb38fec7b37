/** Why a snapshot cannot be made (any more). */
export interface Failure {
  /** One word in CamelCase. */
  readonly reason: string;
  /** What was required, what was found, and where it helps what to do next. */
  readonly message: string;
}
