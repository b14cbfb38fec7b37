/** The interface between the matching code and the engine of regular expressions, which is injected. */

/** A compiled pattern. It matches anywhere in a text: patterns in hooks.d are not anchored. */
export interface Matcher {
  matches(text: string): boolean;
  /**
   * Number of instructions of the compiled pattern. This number times the length of a text bounds the cost of a match.
   */
  readonly size: number;
}

export interface BadPattern {
  /** The error in the pattern, as the engine words it. */
  readonly invalid: string;
}

export type Compile = (pattern: string) => Matcher | BadPattern;
