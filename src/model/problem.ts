/**
 * One problem in the user's input: what, where, what was expected, what to do next.
 * Problems are values; `LifehookError` carries them if the operation must stop.
 */
export interface Problem {
  /** Stable: "LH", the letter of a part, and three digits; listed in docs/errors.md. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** One sentence: the requirement and the received value. */
  readonly message: string;
  readonly at?: Position;
  /**
   * The part of the value that has the problem: "handler.command[2]". A caller that knows the file can convert it into
   * `at`.
   */
  readonly path?: string;
  /** One sentence in the imperative: what to do next. */
  readonly next: string;
}

export interface Position {
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units, as editors count. */
  readonly column: number;
}

export class LifehookError extends Error {
  readonly problems: readonly Problem[];

  /** A single problem that has no severity is an error. */
  constructor(
    problems: (Omit<Problem, 'severity'> & Partial<Problem>) | readonly Problem[],
    options?: ErrorOptions,
  ) {
    const list = 'code' in problems ? [{ severity: 'error' as const, ...problems }] : problems;
    super(list.map((problem) => formatProblem(problem)).join('\n'), options);
    this.name = 'LifehookError';
    this.problems = list;
  }
}

/**
 * The problem as text: `hooks.json:3:7: error LHC113: … Next: …`. Editors and CI systems make a link of this form.
 */
export function formatProblem({ at, severity, code, message, next }: Problem): string {
  const where = at === undefined ? '' : `${at.file}:${at.line}:${at.column}: `;
  return `${where}${severity} ${code}: ${message} Next: ${next}`;
}

/** The received value for a message; the end of a long text is cut. */
export function shownText(text: string, charactersMax: number = 60): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}
