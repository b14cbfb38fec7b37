/** The interface of a regular expression engine for the matching code. The engine itself is injected. */

/** Whether the pattern is found anywhere in a text (hooks.d patterns are not anchored). */
export interface Matcher {
  matches(text: string): boolean;
  /** Instructions of the compiled pattern: with the length of a text they bound the cost of a try. */
  readonly size: number;
}

export interface BadPattern {
  /** The error in the pattern, as the engine words it. */
  readonly invalid: string;
}

export type Compile = (pattern: string) => Matcher | BadPattern;
