/** The reason why a snapshot cannot be created, or no longer can. */
export interface Failure {
  /** The reason as one token in CamelCase. */
  readonly reason: string;
  /** The expected and the actual state, and the next step if that helps. */
  readonly message: string;
}
