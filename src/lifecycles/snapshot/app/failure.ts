/** The reason why a snapshot cannot be created, or no longer can. */
export interface Failure {
  /** One token in CamelCase. */
  readonly reason: string;
  /** The expected and the actual state, and the next step if that helps. */
  readonly message: string;
}
