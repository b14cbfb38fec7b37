/** The reason why a snapshot fails: it cannot be created, or cannot be completed. */
export interface Failure {
  /** The reason as one token in CamelCase. */
  readonly reason: string;
  /** The expected and the actual state, and the next step if that helps. */
  readonly message: string;
}
