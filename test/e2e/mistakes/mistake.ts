/** One typical mistake, and the answer of the program. Rows are in `NAME-mistakes.ts`, by topic. */
export interface Mistake {
  /** Completes "answers": "a misspelt field of a container". */
  readonly title: string;
  /** Contents keyed by path in the working directory of the command. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arguments of `lifehook`. */
  readonly command: readonly string[];
  readonly stdin?: string;
  /** Overrides the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Prepares things that are not files, such as a busy port; returns a function that undoes it. It may give values
   * for `{NAME}` in the row.
   */
  readonly prepare?: (folder: string) => Promise<Prepared>;
  readonly exitCode: number;
  /** "LHM001", of docs/errors.md. */
  readonly code: string;
  /** "web.yaml:13:13"; absent: the mistake has no place. */
  readonly at?: string;
  /** Parts of the message. */
  readonly says: readonly string[];
  /** A part of the next step. */
  readonly next: string;
}

export interface Prepared {
  readonly values?: Readonly<Record<string, string>>;
  undo(): Promise<void> | void;
}
