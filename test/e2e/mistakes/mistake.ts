/** One typical mistake and the expected answer of the program. The rows are in `NAME-mistakes.ts`, by topic. */
export interface Mistake {
  /** Completes the test title "answers …", such as "a misspelt field of a container". */
  readonly title: string;
  /** Files to create in the working directory: content by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arguments of `lifehook`. */
  readonly command: readonly string[];
  readonly stdin?: string;
  /** Variables that override the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Prepares what is not a file, such as a busy port; returns a function that undoes it. It may also return values for
   * `{NAME}` in the row.
   */
  readonly prepare?: (folder: string) => Promise<Prepared>;
  readonly exitCode: number;
  /** The code in docs/errors.md, such as "LHM001". */
  readonly code: string;
  /** Position such as "web.yaml:13:13"; absent if the mistake has no position. */
  readonly at?: string;
  /** Texts that the message must contain. */
  readonly says: readonly string[];
  /** Text that the next step must contain. */
  readonly next: string;
}

export interface Prepared {
  readonly values?: Readonly<Record<string, string>>;
  undo(): Promise<void> | void;
}
